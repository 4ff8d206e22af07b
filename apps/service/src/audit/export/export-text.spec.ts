import { beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { caregateIn } from '../../cli/caregate.testing.ts';
import { withFolderLog as inLogFolder } from '../read-logs.ts';
import type { AuditEvent } from 'fhir/r4.js';
import { listRecords } from '../read-logs.ts';
import type { RecordFilter } from '../audit-record.ts';
import { auditEntry, bodiesIn, editLog, teamId, userIds } from '../records.testing.ts';
import type { AuditEntry } from '../audit-record.ts';
import { openAuditLog } from '../open-log.ts';
import { createSpecFolder } from '../../testing/folder.testing.ts';

const [amelia, bruno, chen] = userIds as [string, string, string];
const otherTeam = '11111111-2222-4333-8444-555555555555';

const entries: readonly AuditEntry[] = [
  auditEntry({ patients: [amelia] }),
  auditEntry({ operation: 'listUsers', patients: [amelia, bruno, chen], record_count: 3 }),
  auditEntry({ decision: 'denied', http_status: 403, reason_code: 'role', patients: [] }),
  auditEntry({ actor_id: 'ZyXwVu987654', key_id: 'ZyXwVu987654', patients: [bruno] }),
  auditEntry({
    team_id: otherTeam,
    decision: 'not_found',
    patients: [],
    details: { asked_user_id: chen },
  }),
];

const place = createSpecFolder();
const dataDir = join(place, 'log');
mkdirSync(dataDir);
const log = await openAuditLog({ dataDir });
await Promise.all(entries.map((entry) => log.record(entry)));
await log.close();

/** A copy of the log for each test. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(place, 'copy-'));
  cpSync(dataDir, folder, { recursive: true });
});

async function exported(...words: string[]): Promise<string[]> {
  const { out, ...ended } = await caregateIn({}, ['audit', 'export', '--data', folder, ...words]);
  expect(ended).toEqual({ code: 0, err: '' });
  return out.trimEnd().split('\n');
}

describe('an export', () => {
  it('has every record, and the record of the export as the last', async () => {
    const filter = ['--from', '2020-01-01'];
    const events = (await exported('--format', 'fhir', ...filter)).map(
      (line) => JSON.parse(line) as AuditEvent,
    );
    // The list's page has three patients, with one event each.
    expect(events.map(({ id }) => id?.replace(/^[^-]+-/u, '')).join(' ')).toBe(
      '0-0 1-0 2-0 2-1 2-2 3-0 4-0 5-0 6-0',
    );
    expect(events.at(-1)).toMatchObject({
      subtype: [{ code: 'exportAudit' }],
      agent: [{ who: { display: expect.stringMatching(/^command line: ./u) } }, {}],
      entity: [
        {
          detail: [
            { type: 'format', valueString: 'fhir' },
            { type: 'from', valueString: '2020-01-01' },
          ],
        },
      ],
    });
  });

  it('contains only records that match all filters', async () => {
    const expected: readonly [RecordFilter, number[]][] = [
      [{}, [0, 1, 2, 3, 4]],
      [{ actor: 'ZyXwVu987654' }, [3]],
      [{ operations: ['listUsers'] }, [1]],
      [{ decision: 'denied' }, [2]],
      [{ team: otherTeam }, [4]],
      [{ about: bruno }, [1, 3]],
      // A patient who was requested and not found.
      [{ about: chen, decision: 'not_found' }, [4]],
      [{ about: amelia, operations: ['listUsers'], team: teamId }, [1]],
      [{ fromUs: Date.UTC(2100, 0) * 1000 }, []],
      [{ toUs: Date.UTC(2020, 0) * 1000 }, []],
      [{ fromUs: 0, toUs: Date.UTC(2100, 0) * 1000, decision: 'denied' }, [2]],
    ];
    const found = await inLogFolder(folder, async (log) => {
      const all: number[][] = [];
      for (const [filter] of expected) {
        // The first record of a log is about the log itself.
        all.push(
          (await listRecords([log], filter)).flatMap(({ seq }) => (seq === 0 ? [] : seq - 1)),
        );
      }
      return all;
    });
    expect(found).toEqual(expected.map(([, seqs]) => seqs));
  });

  it.each(['csv', 'fhir'] as const)(
    'as %s fails and leaves no file if a record was changed',
    async (format) => {
      editLog(
        folder,
        `update audit_record set body = replace(body, '"allowed"', '"denied_"') where seq = 2`,
      );
      const file = join(folder, 'export');
      const words = ['audit', 'export', '--data', folder, '--format', format, '--out', file];
      expect(await caregateIn({}, words)).toEqual({
        ...{ code: 1, out: '', err: expect.stringMatching(/altered|not those/u) },
      });
      expect(existsSync(file)).toBe(false);
    },
  );

  it('about one patient names no other patient', async () => {
    for (const format of ['fhir', 'csv'] as const) {
      const text = (await exported('--format', format, '--patient', amelia)).join('\n');
      expect(text).toContain(amelia);
      expect(text).not.toContain(bruno);
    }
  });

  it('in NDJSON passes the independent verifier, also with filters', async () => {
    const file = new URL('../../../../../tools/audit-verifier/src/verify.mjs', import.meta.url);
    const { verifyExport } = (await import(fileURLToPath(file))) as {
      verifyExport: (lines: string[], key: string) => Promise<[number, string]>;
    };
    const complete = await exported();
    expect(await verifyExport(complete, log.publicKey)).toEqual([
      0,
      'Holds: 7 records and 0 old checkpoints',
    ]);
    const part = await exported('--actor', 'ZyXwVu987654');
    expect(await verifyExport(part, log.publicKey)).toEqual([
      0,
      'Holds: 8 records and 0 old checkpoints; of 7 records this export has the hash alone',
    ]);
    expect(part.filter((line) => line.includes('"body"'))).toHaveLength(1);
    expect(part.join('\n')).not.toContain(amelia);
  });

  it('creates a file that only its owner can read, and never replaces one', async () => {
    const file = join(folder, 'export.csv');
    await exported('--format', 'csv', '--out', file);
    const text = readFileSync(file, 'utf8');
    expect(text.split('\r\n')).toHaveLength(1 + 7 + 1);
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    const before = bodiesIn(folder).length;
    expect(await caregateIn({}, ['audit', 'export', '--data', folder, '--out', file])).toEqual({
      ...{ code: 1, out: '', err: `--out ${file}: cannot be created (EEXIST).\n` },
    });
    expect([readFileSync(file, 'utf8'), bodiesIn(folder).length]).toEqual([text, before]);
  });
});
