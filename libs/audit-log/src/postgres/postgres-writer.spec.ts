import { describe, expect, it } from '@jest/globals';
import { startProxy, type PostgresProxy } from '@caregate/postgres';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AuditBrokenError, AuditUnavailableError } from '../errors.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry, march, userIds, until } from '../testing/audit-entry.testing.ts';
import { openPostgresAuditLog } from './postgres-backend.ts';
import { idKey } from './stored/copies.ts';
import { inPlace, type LogPlace } from './log-place.testing.ts';

// A log begins with a record of its own.
describe('the audit writer on PostgreSQL', () => {
  it('has a record on disk before it says so', async () => {
    await inPlace(async (place) => {
      const log = await place.open();
      for (let at = 0; at < 20; at += 1) {
        const { seq, logId } = await log.record(
          auditEntry({ request_id: `request ${String(at)}` }),
        );
        expect({ seq, logId }).toEqual({ seq: at + 1, logId: log.logId });
        expect((await requestIds(place)).at(-1)).toBe(`request ${String(at)}`);
      }
      await log.close();
    });
  });

  it('has beside a record what the tables name, and the keys of its ids', async () => {
    await inPlace(async (place) => {
      const log = await place.open();
      const text = auditEntry({ patients: userIds.slice(0, 2), actor_id: 'a\0b\ud800' });
      await log.record(text);
      await log.close();
      const [row] = await place.rows('select * from audit_event where seq = 1');
      expect(row).toMatchObject({
        seq: '1',
        log_id: log.logId,
        body: text,
        operation: 'resolveUser',
        actor_id: 'a\ufffdb\ufffd',
        recorded_at_us: String(march * 1000),
        patients: userIds
          .slice(0, 2)
          .map(idKey)
          .sort((one, other) => one - other),
      });
      expect((await place.verify(log.verifierKey)).size).toBe(2);
    });
  });

  it('verifies the whole log, and names a record that was changed', async () => {
    await inPlace(async (place) => {
      const log = await place.open();
      await Promise.all(Array.from({ length: 20 }, () => log.record(auditEntry())));
      expect(await log.verify(0.5)).toMatchObject({ size: 21 });
      await place.tamper(
        `update audit_event set body = replace(body, '"allowed"', '"denied"') where seq = 4`,
      );
      await expect(log.verify(0.5)).rejects.toMatchObject({ seq: 4 });
      await log.close();
    });
  });

  it('commits what queued during a sync together, at most 256 at once', async () => {
    await inPlace(async (place) => {
      const log = await place.open();
      const all = await Promise.all(Array.from({ length: 1000 }, () => log.record(auditEntry())));
      expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
      expect(log.state()).toMatchObject({ queued: 0, latched: false, written: 1000, groups: 4 });
      await log.close();
    });
  });

  it('latches when a commit fails, takes nothing until the tail is verified, and resumes', async () => {
    await inPlace(async (place) => {
      const states: string[] = [];
      const log = await place.open({
        // Of every statement: only the held up ones may take so long.
        busyTimeoutMs: 10_000,
        onStateChange: (state) => states.push(state),
      });
      await log.record(auditEntry({ request_id: 'before' }));
      const letGo = await place.holdUp();
      const failed = [1, 2].map(() => log.record(auditEntry({ request_id: 'failed' })));
      for (const record of failed) {
        await expect(record).rejects.toThrow(AuditUnavailableError);
      }
      expect(log.state()).toMatchObject({ latched: true, queued: 0 });
      await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
      await expect(log.checkpoint()).rejects.toThrow(AuditUnavailableError);
      await letGo();
      await until(() => !log.state().latched);
      await log.record(auditEntry({ request_id: 'after' }));
      expect([...new Set(states)]).toEqual(['latched', 'open']);
      await log.close();
      // What was told as failed may be there, the other way round never.
      const written = await requestIds(place);
      expect(written.filter((id) => id !== 'failed')).toEqual(['before', 'after']);
      expect((await place.verify(log.verifierKey)).size).toBe(written.length + 1);
    });
  });

  it('stays latched where the tail was tampered with meanwhile', async () => {
    await inPlace(async (place) => {
      await staysLatched(place, 1, 'delete from audit_event');
      await expect(place.open()).rejects.toMatchObject({
        name: AuditBrokenError.name,
        breach: 'truncated',
        seq: 0,
      });
    });
  });

  it('stays latched where the newest records were cut off with their seals and checkpoints', async () => {
    await inPlace(async (place) => {
      // Back to the checkpoint of its beginning, the newest that is kept: a whole earlier state.
      const said = await staysLatched(
        place,
        5,
        `delete from audit_event where seq > 0; delete from audit_seal where size > 1;
         delete from audit_checkpoint where size > 1`,
      );
      expect(said.at(-1)).toMatch(/has 1 records, and not the 6 .*run caregate audit verify$/u);
      // The instance that knew has kept what it knew.
      await expect(place.open()).rejects.toMatchObject({ breach: 'truncated' });
    });
  });

  it('takes one round trip a group, whatever is in it', async () => {
    await inPlace(async (place) => {
      const proxy = await countingProxy(place.url);
      const log = await openPostgresAuditLog(proxy.url, place.folder, {
        checkpointEveryMs: 3_600_000,
      });
      await log.record(auditEntry());
      const before = proxy.answers();
      await Promise.all(
        Array.from({ length: 1000 }, () => log.record(auditEntry({ patients: userIds }))),
      );
      expect([log.state().groups, proxy.answers() - before]).toEqual([5, 4]);
      await log.checkpoint();
      expect(proxy.answers() - before).toBe(5);
      await log.close();
      await proxy.close();
    });
  });

  it('signs a checkpoint at the start, on demand and at the end', async () => {
    await inPlace(async (place) => {
      const log = await place.open({
        host: 'clinic.example',
        checkpointEveryMs: 3_600_000,
      });
      for (let at = 0; at < 11; at += 1) {
        await log.record(auditEntry());
      }
      const note = await log.checkpoint();
      expect(VerifierKey.parse(log.verifierKey).open(note)).toMatchObject({
        origin: `clinic.example/audit/${log.logId}`,
        size: 12,
      });
      expect(await log.checkpoint()).toBe(note);
      await log.record(auditEntry());
      await log.close();
      expect(await checkpoints(place)).toEqual([1, 12, 13]);
      await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
    });
  });

  it('goes on where it ended, with the same key, which its owner alone may read', async () => {
    await inPlace(async (place) => {
      const first = await place.open();
      await first.record(auditEntry());
      await first.close();
      const second = await place.open({ host: 'another.example' });
      expect([second.logId, second.verifierKey]).toEqual([first.logId, first.verifierKey]);
      expect(await second.record(auditEntry())).toEqual({ logId: first.logId, seq: 2 });
      await second.close();
      expect(statSync(join(place.folder, 'audit-key.pem')).mode & 0o777).toBe(0o600);
    });
  });

  it('lets two write at once: no record lost, none twice, all that there is verifies', async () => {
    await inPlace(async (place) => {
      const logs = [await place.open(), await place.open()];
      const receipts = await Promise.all(
        Array.from({ length: 100 }, (_, at) => logs[at % 2]!.record(auditEntry())),
      );
      for (const log of logs) {
        await log.close();
      }
      expect(new Set(receipts.map(({ logId, seq }) => `${logId}/${seq}`)).size).toBe(100);
      for (const { logId, verifierKey } of logs) {
        const seqs = receipts.filter((receipt) => receipt.logId === logId).map(({ seq }) => seq);
        const { size } = await place.verify(verifierKey);
        // What the second saw of the first is a record, too.
        const first = size - seqs.length;
        expect(seqs.sort((a, b) => a - b)).toEqual(seqs.map((_, at) => first + at));
      }
    });
  });
});

/** Writes records, tampers, and writes no more, however often the log opens a session to verify its tail. */
async function staysLatched(
  place: LogPlace,
  records: number,
  tampering: string,
): Promise<readonly string[]> {
  const proxy = await countingProxy(place.url);
  const states: string[] = [];
  const said: string[] = [];
  const log = await openPostgresAuditLog(proxy.url, place.folder, {
    checkpointEveryMs: 3_600_000,
    onStateChange: (state, message) => {
      states.push(state);
      said.push(message);
    },
  });
  for (let at = 0; at < records; at += 1) {
    await log.record(auditEntry());
  }
  await place.tamper(tampering);
  await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
  const before = proxy.sessions();
  // The second begins when the first has failed.
  await until(() => proxy.sessions() >= before + 2);
  await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
  // Each other reason is told.
  expect([...new Set(states)]).toEqual(['latched']);
  await log.close();
  await proxy.close();
  return said;
}

/** A way to the server that counts what it has answered: each round trip ends with a message that it is ready again. */
async function countingProxy(
  target: string,
): Promise<PostgresProxy & { answers(): number; sessions(): number }> {
  let ready = 0;
  let sessions = 0;
  const proxy = await startProxy(target, (client, upstream) => {
    sessions += 1;
    let rest = Buffer.alloc(0);
    upstream.on('data', (part: Buffer) => {
      rest = Buffer.concat([rest, part]);
      // Of each message a letter, and a length that counts itself.
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        ready += rest[0] === 0x5a ? 1 : 0;
        rest = rest.subarray(1 + rest.readInt32BE(1));
      }
      client.write(part);
    });
    client.on('data', (part: Buffer) => upstream.write(part)).on('close', () => upstream.destroy());
  });
  return { ...proxy, answers: () => ready, sessions: () => sessions };
}

async function requestIds(place: LogPlace): Promise<unknown[]> {
  const rows = await place.rows(
    `select body::json ->> 'request_id' as id from audit_event where seq > 0 order by seq`,
  );
  return rows.map((row) => row['id']);
}

async function checkpoints(place: LogPlace): Promise<unknown[]> {
  const rows = await place.rows('select size from audit_checkpoint order by size');
  return rows.map((row) => Number(row['size']));
}
