import { sampleEnvelopes, sampleTeamId, otherTeamId } from '@caregate/sample-data';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { teamA } from '../auth/access.testing.ts';
import { commandFolder, runIn, type Ended } from './caregate.testing.ts';
import type { AuditRecord } from '../audit/audit-record.ts';
import { bodiesIn } from '../audit/records.testing.ts';

const at = commandFolder();
const { caregate, json } = at;

/** Has a key and two people. */
const made = commandFolder('spec');
let madeKeyId: string;
beforeAll(async () => {
  ({ key_id: madeKeyId = '' } = await made.json(...newKey));
  await made.json('import', writeLines(made.folder, sampleTeamId));
});
const fill = (): void => {
  cpSync(made.data, at.data, { recursive: true });
};

const newKey = ['keys', 'create', '--team', teamA, '--label', 'Amara', '--role', 'billing'];
const create = (): Promise<Ended> => caregate(...newKey);

function records(): AuditRecord[] {
  return existsSync(join(at.data, 'audit.db')) ? bodiesIn(at.data) : [];
}

/** Returns the rows that a refused act must not change. */
function stateOf(): unknown {
  const tables = {
    'access.db': ['keys', 'teams', 'break_glass', 'cursor_secrets'],
    'store.db': ['users'],
  };
  return Object.entries(tables).map(([file, names]) => {
    const db = new DatabaseSync(join(at.data, file), { readOnly: true });
    try {
      return names.map((name) => db.prepare(`select * from ${name} order by 1, 2`).all());
    } finally {
      db.close();
    }
  });
}

const by = { actor_type: 'system', actor_id: `command line: ${userInfo().username}` };
const linesOf = (teamId: string): string =>
  Array.from(sampleEnvelopes({ users: 2, teamId }), (line) => `${JSON.stringify(line)}\n`).join('');

describe('the record of a command', () => {
  it('is in the log of the data folder, which verifies', async () => {
    const { key_id: keyId = '' } = await json(...newKey);
    await caregate('keys', 'rotate', keyId);
    await caregate('keys', 'revoke', keyId);
    const { old_valid_until: until = '' } = await json('secrets', 'rotate');
    expect(await caregate('secrets', 'rotate')).toEqual({
      ...{
        code: 2,
        out: '',
        err: expect.stringContaining(` are valid until ${until}. Replace it`),
      },
    });
    expect(records()).toMatchObject([
      { ...by, operation: 'createKey', key_id: keyId, team_id: teamA, decision: 'allowed' },
      { ...by, operation: 'rotateKey', team_id: teamA, details: { replaces: keyId } },
      { ...by, operation: 'revokeKey', key_id: keyId },
      { ...by, operation: 'cursorSecretTurned', team_id: null },
    ]);
    expect(JSON.stringify(records())).not.toContain('Amara');
    expect((await caregate('audit', 'verify')).code).toBe(0);
  });

  it('of an import has the digest of its file, its teams and counts', async () => {
    const bytes = gzipSync(linesOf(sampleTeamId) + linesOf(otherTeamId));
    const file = join(at.folder, 'people.ndjson.gz');
    writeFileSync(file, bytes);
    expect((await caregate('import', file)).code).toBe(0);
    const [started, finished, ...more] = records();
    expect([started, finished]).toMatchObject([
      { ...by, operation: 'importStarted', team_id: null, decision: 'allowed' },
      {
        ...{ ...by, operation: 'importFinished', team_id: null, decision: 'allowed' },
        details: {
          import: started?.details['import'],
          sha256: createHash('sha256').update(bytes).digest('hex'),
          teams: 2,
          team_ids: [sampleTeamId, otherTeamId].sort().join(' '),
          user_added: 4,
          refused: 0,
        },
      },
    ]);
    expect(more).toEqual([]);
    expect(JSON.stringify(records())).not.toContain('people');
  });

  it('says of an import that it was refused or failed', async () => {
    const file = join(at.folder, 'wrong');
    writeFileSync(file, `${linesOf(sampleTeamId)}{"kind":"user"}\n`);
    expect((await caregate('import', file, '--team', sampleTeamId)).code).toBe(2);
    writeFileSync(file, gzipSync(linesOf(sampleTeamId)).subarray(0, 200));
    expect((await caregate('import', file)).code).toBe(2);
    writeFileSync(file, Buffer.concat([gzipSync(linesOf(sampleTeamId)), Buffer.alloc(2 ** 20)]));
    expect(await caregate('import', file)).toEqual({
      ...{ code: 2, out: '' },
      err: `${file}: there is more after the end of the gzip data\n`,
    });
    const finished = records().filter(({ operation }) => operation === 'importFinished');
    expect(finished).toMatchObject([
      { decision: 'invalid', team_id: sampleTeamId, details: { refused: 1 } },
      { decision: 'failed', team_id: null },
      { decision: 'failed', team_id: null },
    ]);
  });

  it('says of a backup that it failed', async () => {
    fill();
    writeFileSync(join(at.data, 'access.db'), 'no database');
    const copy = join(at.folder, 'copy');
    expect((await caregate('backup', copy)).code).toBe(1);
    expect(readdirSync(at.folder).filter((name) => name.startsWith('copy'))).toEqual([]);
    expect(records().slice(-2)).toMatchObject([
      { operation: 'backup', decision: 'allowed' },
      { operation: 'backup', decision: 'failed' },
    ]);
    for (const [to, from, message] of [
      [at.data, at.data, 'already exists. Choose a new folder'],
      [copy, at.folder, 'is not a data folder'],
    ] as const) {
      expect(await caregate('backup', to, '--data', from)).toEqual({
        ...{ code: 2, out: '', err: expect.stringContaining(message) },
      });
    }
  });
});

function writeLines(folder: string, teamId: string): string {
  const file = join(folder, 'lines');
  writeFileSync(file, linesOf(teamId));
  return file;
}

describe('an act that cannot be recorded', () => {
  it.each([
    [
      'the key of the log is missing',
      () => {
        rmSync(join(at.data, 'audit-key.pem'));
      },
    ],
    [
      'the log cannot be opened',
      () => {
        renameSync(join(at.data, 'audit.db'), join(at.folder, 'away'));
        mkdirSync(join(at.data, 'audit.db'));
      },
    ],
  ])('is not done, with a message: %s', async (_, breakLog) => {
    fill();
    const before = stateOf();
    breakLog();
    const other = writeLines(at.folder, otherTeamId);
    for (const act of [
      () => create(),
      () => caregate('keys', 'revoke', madeKeyId),
      () => caregate('import', other),
      () => caregate('backup', join(at.folder, 'copy')),
    ]) {
      const ended = await act();
      expect([ended.code, ended.out]).toEqual([1, '']);
      expect(ended.err).toMatch(
        /^Nothing was done, because it could not be recorded in the audit log\. [A-Z].+\n$/u,
      );
    }
    expect(stateOf()).toEqual(before);
    expect(readdirSync(at.folder)).not.toContain('copy');
  });
});

describe('a command that is killed between its record and its commit', () => {
  it.each([
    ['cursorSecretTurned', 'cursorSecretTurned'],
    ['import', 'importFinished'],
  ])('leaves a record and no act: %s', async (act, operation) => {
    fill();
    const before = stateOf();
    const count = records().length;
    const program = new URL('killed-act.testing.ts', import.meta.url);
    const other = writeLines(at.folder, otherTeamId);
    const ended = await runIn({}, program, [act, at.data, other]);
    expect(ended.code).toBeNull();
    expect(stateOf()).toEqual(before);
    expect(records().length).toBeGreaterThan(count);
    expect(records().at(-1)).toMatchObject({ operation, decision: 'allowed' });
    expect((await caregate('audit', 'verify')).code).toBe(0);
    expect((await create()).code).toBe(0);
  });
});
