import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  eraseSegments,
  LogReader,
  type Month,
  nodeDisk,
  openAuditLog,
  parseBody,
  parseVerifierKey,
  type RecordBody,
  recordActs,
  verifierKey,
  verifyConsistency,
  verifyFolder,
  verifyInclusion,
  type VerifyReport,
} from '@caregate/audit-log';
import { auditEntry, inFolder, teamId, userIds } from '@caregate/audit-log/testing';
import { AccessStore } from '../../access/access-store.ts';
import { unrecorded } from '../../access/access.testing.ts';
import { commandEntry } from '../system-record.ts';
import { adminOf, endorse, enrol, listApprovers, revoke } from './approvers.ts';
import type { CutStore } from './cut-store.ts';
import { openFolderCuts } from './folder-cuts.ts';
import {
  addHold,
  approveCut,
  listHolds,
  listSegments,
  proposeCut,
  releaseHold,
} from './retention.ts';
import { adminKey, enrolAll, people, writeLog } from './retention.testing.ts';

const { dana, omar, ines } = people;
const [amelia, bruno] = userIds as [string, string, string];
const may = '2018-05' as Month;
const terms = { years: 7, nowMs: Date.parse('2026-11-21T08:00:00Z') };

interface Parts {
  readonly folder: string;
  readonly store: CutStore;
}

/** Ten records a month from 2018-04 to 2018-06, and two of last year; Bruno is seen in 2018-05 alone; two approvers. */
async function withOldLog(
  work: (parts: Parts) => Promise<void>,
  first: Parameters<typeof writeLog>[1] = [],
): Promise<void> {
  await inFolder(async (folder) => {
    const days = Array.from({ length: 10 }, (_, at) => String(at + 1).padStart(2, '0'));
    const old = ['2018-04', '2018-05', '2018-06'].flatMap((month) =>
      days.map((day) => {
        const patients = month === '2018-05' ? [amelia, bruno] : [amelia];
        return { entry: auditEntry({ patients }), at: `${month}-${day}T10:00:00Z` };
      }),
    );
    const late = ['2025-01-02', '2025-12-31'].map((at) => ({ entry: auditEntry(), at }));
    writeLog(folder, [...first, ...old, ...late]);
    const store = openFolderCuts(folder);
    await enrolAll(store, folder, { dana, omar });
    try {
      await work({ folder, store });
    } finally {
      await store.close();
    }
  });
}

async function cut(store: CutStore, until: Month): Promise<void> {
  const { id } = await proposeCut(store, dana, until, terms);
  await approveCut(store, dana, id, terms);
  await approveCut(store, omar, id, terms);
}

async function verified(folder: string, outside?: string): Promise<VerifyReport> {
  const key = parseVerifierKey(new LogReader(nodeDisk, folder).identity().verifierKey);
  return await verifyFolder(nodeDisk, folder, { key, ...(outside !== undefined && { outside }) });
}

function lastRecords(folder: string, count: number): RecordBody[] {
  const reader = new LogReader(nodeDisk, folder);
  const size = reader.size();
  const bodies = Array.from({ length: count }, (_, at) =>
    parseBody(reader.entry(size - 1 - at)?.toString('utf8', 16) ?? ''),
  );
  reader.close();
  return bodies;
}

/** All bytes under the folder's log. */
function allBytes(folder: string): string {
  const names = readdirSync(join(folder, 'audit'), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');
}

describe('a retention cut', () => {
  it('leaves nothing of the records but their hashes, and every proof holds', async () => {
    await withOldLog(async ({ folder, store }) => {
      const before = new LogReader(nodeDisk, folder);
      const size = before.size();
      const note = before.checkpoint();
      const roots = Array.from({ length: size + 1 }, (_, at) => before.root(at));
      before.close();
      expect(allBytes(folder)).toContain(packed(bruno));
      const { id } = await proposeCut(store, dana, may, terms);
      expect(await approveCut(store, dana, id, terms)).toMatchObject({ by: 'dana', isDone: false });
      expect((await verified(folder)).cut).toBe(0);
      expect(await approveCut(store, omar, id, terms)).toMatchObject({
        by: 'omar',
        isDone: true,
        plan: { since: '2018-04', until: may, fromSeq: 0, beforeSeq: 20, records: 20 },
      });
      expect(await verified(folder, note)).toMatchObject({ cut: 20, unproven: 0 });
      const after = new LogReader(nodeDisk, folder);
      const root = roots[size] as Buffer;
      for (let seq = 0; seq < size; seq += 1) {
        const proof = after.inclusion(seq, size);
        expect(verifyInclusion(after.leaf(seq), seq, size, proof, root)).toBe(true);
      }
      roots.forEach((older, at) => {
        expect(verifyConsistency(at, size, after.consistency(at, size), older, root)).toBe(true);
      });
      expect([after.entry(19), after.entry(20)]).toEqual([undefined, expect.any(Buffer)]);
      after.close();
      // Bruno was seen in the month that was cut alone.
      expect(allBytes(folder)).not.toContain(packed(bruno));
    });
  });

  it('is recorded, with everybody who signed', async () => {
    await withOldLog(async ({ folder, store }) => {
      await cut(store, may);
      const [record, second, first, proposal] = lastRecords(folder, 4);
      expect(record).toMatchObject({
        operation: 'retentionCut',
        actor_type: 'person',
        actor_id: 'omar',
        details: {
          proposed_by: 'dana',
          approved_by: 'dana',
          approved_2_by: 'omar',
          until: may,
          before_seq: 20,
          records: 20,
          years: 7,
        },
      });
      expect(second).toMatchObject({ operation: 'approveCut', actor_id: 'omar' });
      expect(first).toMatchObject({ operation: 'approveCut', actor_id: 'dana' });
      expect(proposal).toMatchObject({ operation: 'proposeCut', actor_id: 'dana' });
    });
  });

  it('goes on beside a service that writes, and again later', async () => {
    await withOldLog(async ({ folder, store }) => {
      const service = await openAuditLog(folder);
      await cut(store, '2018-04' as Month);
      await service.record(auditEntry());
      expect(await proposeCut(store, omar, may, terms)).toMatchObject({
        fromSeq: 10,
        beforeSeq: 20,
        records: 10,
      });
      await cut(store, may);
      await service.record(auditEntry());
      await service.close();
      expect((await verified(folder)).cut).toBe(20);
    });
  });

  it('goes on where it was stopped half-way', async () => {
    await withOldLog(async ({ folder, store }) => {
      const { id } = await proposeCut(store, dana, '2018-06' as Month, terms);
      await approveCut(store, dana, id, terms);
      let gone = 0;
      const failing: CutStore = {
        ...store,
        erase: (beforeSeq) =>
          eraseSegments(nodeDisk, folder, beforeSeq, () => {
            gone += 1;
            // As if the power had failed after two of three files.
            if (gone > 2) {
              throw new Error('The power failed');
            }
          }),
      };
      await expect(approveCut(failing, omar, id, terms)).rejects.toThrow('The power failed');
      expect((await verified(folder)).cut).toBe(20);
      expect(await approveCut(store, omar, id, terms)).toMatchObject({
        isDone: true,
        plan: { fromSeq: 20, beforeSeq: 30 },
      });
      expect((await verified(folder)).cut).toBe(30);
      await expect(approveCut(store, omar, id, terms)).rejects.toThrow('is already done');
    });
  });

  it('is refused on a log that does not hold: the evidence stays', async () => {
    await withOldLog(async ({ folder, store }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      await approveCut(store, dana, id, terms);
      const file = join(folder, 'audit', 'records', '000000000000000');
      const bytes = readFileSync(file);
      const at = bytes.indexOf('front-desk-1');
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(file, bytes);
      await expect(approveCut(store, omar, id, terms)).rejects.toMatchObject({
        name: 'AuditBrokenError',
      });
      expect(existsSync(file)).toBe(true);
    });
  });
});

describe('two people', () => {
  const refused = async (folder: string, attempt: Promise<unknown>, why: string): Promise<void> => {
    await expect(attempt).rejects.toMatchObject({ name: 'RetentionError', refusal: why });
    expect(lastRecords(folder, 1)).toMatchObject([{ decision: 'denied', reason_code: why }]);
    expect((await verified(folder)).cut).toBe(0);
  };

  it('are two: not one who approves twice', async () => {
    await withOldLog(async ({ folder, store }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      await approveCut(store, dana, id, terms);
      await refused(folder, approveCut(store, dana, id, terms), 'same_person');
    });
  });

  it('are enrolled, and not revoked', async () => {
    await withOldLog(async ({ folder, store }) => {
      await refused(folder, proposeCut(store, ines, may, terms), 'unauthorized');
      const { id } = await proposeCut(store, dana, may, terms);
      await refused(folder, approveCut(store, ines, id, terms), 'unauthorized');
      const access = await AccessStore.open(folder, { acts: unrecorded });
      const admin = await adminKey(folder, 'Grace Okafor');
      expect(await revoke(store, 'dana', () => adminOf(access, admin))).toBe(1);
      await access.close();
      await refused(folder, approveCut(store, omar, id, terms), 'expired');
      await refused(folder, approveCut(store, dana, id, terms), 'unauthorized');
    });
  });

  it('agree within a week, on what there is', async () => {
    await withOldLog(async ({ folder, store }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      const late = { ...terms, nowMs: terms.nowMs + 8 * 86_400_000 };
      await refused(folder, approveCut(store, omar, id, late), 'expired');
      await refused(folder, approveCut(store, omar, id, { ...terms, years: 9 }), 'too_young');
      await refused(folder, approveCut(store, omar, 'ffffffff', terms), 'not_found');
    });
  });

  it('are enrolled by an admin, and from the third on by two of them', async () => {
    await withOldLog(async ({ folder, store }) => {
      const access = await AccessStore.open(folder, { acts: unrecorded });
      const auditor = await access.keys.create({ teamId, role: 'auditor', label: 'Ines' });
      const admin = await adminKey(folder, 'Grace Okafor');
      const key = verifierKey('ines', ines);
      const asAdmin = (presented: string) => (): ReturnType<typeof adminOf> =>
        adminOf(access, presented);
      await refused(folder, enrol(store, key, asAdmin(auditor.key)), 'unauthorized');
      await refused(folder, enrol(store, key, asAdmin('nonsense')), 'unauthorized');
      expect(await enrol(store, key, asAdmin(admin))).toEqual({ isPending: true });
      expect(lastRecords(folder, 1)).toMatchObject([
        { operation: 'enrolApprover', actor_id: admin.slice(8, 20), role: 'admin' },
      ]);
      await refused(folder, enrol(store, key, asAdmin(admin)), 'name_taken');
      await refused(folder, proposeCut(store, ines, may, terms), 'unauthorized');
      expect(await endorse(store, 'ines', dana)).toEqual({ by: 'dana', isPending: true });
      await refused(folder, endorse(store, 'ines', dana), 'same_person');
      expect(await endorse(store, 'ines', omar)).toEqual({ by: 'omar', isPending: false });
      await refused(folder, endorse(store, 'nobody', omar), 'not_found');
      expect((await listApprovers(store)).map(({ name }) => name)).toEqual([
        'dana',
        'omar',
        'ines',
      ]);
      await access.close();
      const { id } = await proposeCut(store, ines, may, terms);
      await approveCut(store, ines, id, terms);
      await approveCut(store, omar, id, terms);
      expect((await verified(folder)).cut).toBe(20);
    });
  });
});

describe('what is too young', () => {
  it('is refused, to the month', async () => {
    await withOldLog(async ({ store }) => {
      const at = (now: string): typeof terms => ({ ...terms, nowMs: Date.parse(now) });
      await expect(proposeCut(store, dana, may, at('2025-05-31T23:59:59Z'))).rejects.toThrow(
        'the last month that can be cut is 2018-04',
      );
      const { beforeSeq } = await proposeCut(store, dana, may, at('2025-06-01T00:00:00Z'));
      expect(beforeSeq).toBe(20);
      await expect(proposeCut(store, dana, may, { ...terms, years: 5 })).rejects.toThrow(
        'at least 6 years',
      );
      await expect(proposeCut(store, dana, '2018-03' as Month, terms)).rejects.toThrow(
        'No records',
      );
    });
  });
});

describe('a legal hold', () => {
  it('stops a cut until it is released', async () => {
    await withOldLog(async ({ folder, store }) => {
      const id = await addHold(store, { reference: 'CASE-2026-17', patient: bruno });
      await expect(proposeCut(store, dana, may, terms)).rejects.toThrow(
        `Hold ${id} (CASE-2026-17) covers record 10 of 2018-05`,
      );
      const months = (await listSegments(store, terms)).map(
        ({ month, state }) => `${month} ${state}`,
      );
      expect(months.slice(0, 5)).toEqual([
        '2018-04 may be cut',
        '2018-05 held',
        '2018-06 held',
        '2025-01 kept',
        '2025-12 kept',
      ]);
      await releaseHold(store, id);
      await expect(releaseHold(store, id)).rejects.toThrow('No active hold');
      await cut(store, may);
      expect((await verified(folder)).cut).toBe(20);
      expect(await listHolds(store)).toMatchObject([{ id, released: expect.any(String) }]);
    });
  });

  it('that comes between proposal and approval counts', async () => {
    await withOldLog(async ({ folder, store }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      await approveCut(store, dana, id, terms);
      await addHold(store, { reference: 'CASE-2026-18', from: may, to: may });
      await expect(approveCut(store, omar, id, terms)).rejects.toMatchObject({ refusal: 'held' });
      expect((await verified(folder)).cut).toBe(0);
    });
  });

  it('on other records has to be seen by those who approve', async () => {
    await withOldLog(async ({ store }) => {
      const { id } = await proposeCut(store, dana, may, terms);
      await addHold(store, { reference: 'CASE-2026-18', from: '2025-01' as Month });
      await expect(approveCut(store, omar, id, terms)).rejects.toMatchObject({
        refusal: 'changed',
      });
      await cut(store, may);
    });
  });

  it('that is placed while records are erased stops that', async () => {
    await withOldLog(async ({ folder, store }) => {
      const { id } = await proposeCut(store, dana, '2018-06' as Month, terms);
      await approveCut(store, dana, id, terms);
      let gone = 0;
      const slow: CutStore = {
        ...store,
        erase: (beforeSeq, mayGo) =>
          eraseSegments(nodeDisk, folder, beforeSeq, async () => {
            gone += 1;
            if (gone === 2) {
              await addHold(store, { reference: 'CASE-2026-19', patient: bruno });
            }
            await mayGo();
          }),
      };
      await expect(approveCut(slow, omar, id, terms)).rejects.toMatchObject({ refusal: 'held' });
      expect((await verified(folder)).cut).toBe(10);
    });
  });

  it('outlives its own record', async () => {
    const details = { hold: '0badcafe', reference: 'CASE-2018-03', from: '2025-01' };
    const hold = commandEntry('addLegalHold', details);
    await withOldLog(
      async ({ folder, store }) => {
        expect(await listHolds(store)).toMatchObject([{ id: '0badcafe', seq: 0 }]);
        await cut(store, may);
        expect((await verified(folder)).cut).toBe(21);
        expect(await listHolds(store)).toMatchObject([
          {
            id: '0badcafe',
            reference: 'CASE-2018-03',
            from: '2025-01',
            since: '2018-04-01T00:00:00.000Z',
          },
        ]);
        await recordActs(folder, [commandEntry('exportAudit', {})]);
      },
      [{ entry: hold, at: '2018-04-01T00:00:00Z' }],
    );
  });
});

/** As a list of two patients has it in the text of a record. */
function packed(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url').slice(4, 18);
}
