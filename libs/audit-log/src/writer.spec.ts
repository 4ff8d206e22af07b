import { describe, expect, it } from '@jest/globals';
import { forgetfulProxy } from '@caregate/postgres';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditLog } from './audit-log.ts';
import { VerifierKey } from './checkpoint.ts';
import {
  AuditLogError,
  AuditUnavailableError,
  LogRefusedError,
  NoAuditLogError,
} from './errors.ts';
import { getLogFile, getLogIdFile } from './log-place.ts';
import { auditText, inFolder, until } from './testing/audit-text.testing.ts';
import {
  appendTo,
  engines,
  inPlace,
  openLog,
  readBodies,
  readOperations,
  tamper,
  verifyPlace,
  type Engine,
} from './testing/log-place.testing.ts';

const numbered = (count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, at) => `act ${start + at}`);
/** Runs a test with a small file system of its own, which it may fill or remount. */
const onDisk = (body: (dataDir: string) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const dataDir = join(folder, 'disk');
    mkdirSync(dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', dataDir]);
    try {
      await body(dataDir);
    } finally {
      execFileSync('umount', ['--lazy', dataDir]);
    }
  });
const recordAll = (log: AuditLog, operations: readonly string[]) =>
  Promise.all(operations.map((operation) => log.record(auditText({ operation }))));

describe.each(engines)('a log on %s', (engine: Engine) => {
  it('has each record, in order, before it says so, and its time never decreases', async () => {
    await inPlace(engine, async (place) => {
      const log = await openLog(place);
      for (let at = 0; at < 3; at += 1) {
        const receipts = await recordAll(log, numbered(400, 400 * at));
        const first = receipts[0]?.seq ?? 0;
        expect(receipts).toEqual(
          numbered(400).map((_, one) => ({ logId: log.logId, seq: first + one })),
        );
        expect(await readOperations(place)).toEqual(numbered(400 * (at + 1)));
      }
      const { commits, commitMs, ...state } = log.state();
      expect(state).toEqual({ queued: 0, isInterrupted: false, written: 1200 });
      expect(commits).toBeLessThanOrEqual(9);
      expect(commitMs.sum).toBeGreaterThan(0);
      const { size } = VerifierKey.parse(log.publicKey).open(await log.checkpoint());
      await log.close();
      const times = (await readBodies(place)).map((body) => Number(body['recorded_at_us']));
      expect(times).toHaveLength(size);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      await verifyPlace(place);
    });
  });

  it('lets 10,000 callers wait, refuses one more, and answers all when it is closed', async () => {
    await inPlace(engine, async (place) => {
      const log = await openLog(place);
      const all = Promise.allSettled(
        numbered(10_001).map((operation) => log.record(auditText({ operation }))),
      );
      await log.close();
      await expect(log.record(auditText())).rejects.toThrow(AuditUnavailableError);
      await expect(log.checkpoint()).rejects.toThrow(AuditUnavailableError);
      const answers = await all;
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000);
      expect(answers.at(-1)).toMatchObject({
        reason: { name: 'AuditUnavailableError', isRefused: true },
      });
      expect(await readOperations(place)).toEqual(numbered(10_000));
    });
  });

  it('takes no text that is none, or has 2 MB, and goes on', async () => {
    await inPlace(engine, async (place) => {
      const log = await openLog(place);
      await expect(log.record(['x'.repeat(2e6), ''])).rejects.toThrow(AuditLogError);
      await expect(log.record(['{\0', '}'])).rejects.toThrow(AuditLogError);
      await expect(log.record(['{"_log":1,"t":', '}'])).rejects.toThrow('Only the log itself');
      const large = auditText({ operation: 'large', text: 'é'.repeat(5e5) });
      await Promise.all([log.record(large), log.record(auditText({ operation: 'next' }))]);
      await log.close();
      expect(await readOperations(place)).toEqual(['large', 'next']);
      await verifyPlace(place);
    });
  });

  it('takes records of several processes at once, each once and in the order of each', async () => {
    await inPlace(engine, async (place) => {
      const logs = [await openLog(place), await openLog(place)];
      const command = async (): Promise<void> => {
        for (let at = 0; at < 3; at += 1) {
          await appendTo(
            place,
            numbered(5, 5 * at).map((operation) => auditText({ operation, of: 2 })),
          );
        }
      };
      await Promise.all([
        ...logs.map(async (log, of) => {
          for (let at = 0; at < 10; at += 1) {
            const texts = numbered(20, 20 * at).map((operation) => auditText({ operation, of }));
            await Promise.all(texts.map((text) => log.record(text)));
          }
        }),
        command(),
      ]);
      const notes = await Promise.all(logs.map((log) => log.checkpoint()));
      await Promise.all(logs.map((log) => log.close()));
      const bodies = await readBodies(place);
      for (const [of, count] of [200, 200, 15].entries()) {
        const own = bodies.filter((body) => body['of'] === of).map((body) => body['operation']);
        expect(own).toEqual(numbered(count));
      }
      await verifyPlace(place, { checkpoints: notes });
    });
  });

  it('begins no log where there was one, or none may begin', async () => {
    await inPlace(engine, async (place) => {
      await expect(openLog(place, { mayBegin: false })).rejects.toThrow(NoAuditLogError);
      await expect(openLog(place, { hadLog: 'it has keys' })).rejects.toThrow('it has keys');
      await appendTo(place);
      await openLog(place, { mayBegin: false, hadLog: 'it has keys' }).then((log) => log.close());
      if (engine === 'SQLite') {
        rmSync(getLogFile(place.dataDir));
      } else {
        await tamper(place, ({ rows }) => rows('delete from audit_log'));
      }
      await expect(openLog(place)).rejects.toMatchObject({
        name: 'LogRefusedError',
        kind: 'no_log',
      });
    });
  });

  it('names itself after a beginning that was interrupted', async () => {
    await inPlace(engine, async (place) => {
      const log = await openLog(place);
      const { logId } = log;
      await log.close();
      rmSync(getLogIdFile(place.dataDir));
      const again = await openLog(place);
      expect(again.logId).toBe(logId);
      await again.close();
    });
  });

  it.each(['open', 'closed'])('records how far the clock was set while it was %s', async (when) => {
    await inPlace(engine, async (place) => {
      let log = await openLog(place);
      const now = Date.now;
      try {
        if (when === 'closed') {
          await log.close();
        }
        Date.now = () => now() - 3_600_000;
        if (when === 'closed') {
          log = await openLog(place);
        }
        await log.record(auditText({ operation: 'late' }));
      } finally {
        Date.now = now;
      }
      await log.close();
      const bodies = await readBodies(place);
      const step = bodies.find((body) => body['operation'] === 'clockStep');
      const { milliseconds } = step?.['details'] as { milliseconds: number };
      expect(Math.abs(milliseconds + 3_600_000)).toBeLessThan(10_000);
      const times = bodies.map((body) => Number(body['recorded_at_us']));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    });
  });
});

describe('a log on SQLite', () => {
  it('waits for a commit of another process', async () => {
    await inFolder(async (dataDir) => {
      const log = await openLog({ dataDir });
      const other = new DatabaseSync(getLogFile(dataDir), { timeout: 30_000 });
      other.exec('begin immediate');
      const waiting = log.record(auditText({ operation: 'waited' }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      other.exec('commit');
      other.close();
      await waiting;
      await log.close();
      expect(await readOperations({ dataDir })).toEqual(['waited']);
    });
  });

  it('is interrupted by a full disk, loses nothing that it answered, and goes on', async () => {
    await onDisk(async (dataDir) => {
      const states: string[] = [];
      const log = await openLog({ dataDir }, { onStateChange: (state) => states.push(state) });
      const ballast = join(dataDir, 'ballast');
      let recorded = 0;
      const isTaken = async (): Promise<boolean> => {
        try {
          await log.record(auditText({ operation: `act ${recorded}`, text: 'x'.repeat(20_000) }));
          recorded += 1;
          return true;
        } catch (error) {
          expect(error).toMatchObject({ name: 'AuditUnavailableError' });
          return false;
        }
      };
      await isTaken();
      try {
        writeFileSync(ballast, Buffer.alloc(2 ** 21));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
      await until(async () => !(await isTaken()));
      expect(log.state()).toMatchObject({ isInterrupted: true, queued: 0 });
      // A probe that succeeds meanwhile changes nothing.
      const end = Date.now() + 1500;
      await until(async () => (await isTaken()) || Date.now() > end);
      expect(states.length).toBeLessThan(3);
      rmSync(ballast);
      await until(() => !log.state().isInterrupted);
      await isTaken();
      await log.close();
      expect(states).toEqual(['interrupted', 'open']);
      expect(await readOperations({ dataDir })).toEqual(numbered(recorded));
      await verifyPlace({ dataDir });
    });
  });

  it('takes no record while its file is away or another one, and goes on once it is back', async () => {
    await inFolder(async (dataDir) => {
      const log = await openLog({ dataDir });
      const isRefused = expect.objectContaining({ name: 'AuditUnavailableError' });
      await recordAll(log, ['before']);
      const file = getLogFile(dataDir);
      const away = join(dataDir, 'away');
      renameSync(file, away);
      await expect(recordAll(log, ['away'])).rejects.toEqual(isRefused);
      copyFileSync(away, file);
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await expect(recordAll(log, ['another'])).rejects.toEqual(isRefused);
      renameSync(away, file);
      await until(() => !log.state().isInterrupted);
      await recordAll(log, ['back']);
      await log.close();
      expect(await readOperations({ dataDir })).toEqual(['before', 'back']);
      await verifyPlace({ dataDir });
    });
  });

  it('is refused in one sentence in a folder that cannot be written, and where it is damaged', async () => {
    await onDisk(async (dataDir) => {
      await appendTo({ dataDir });
      execFileSync('mount', ['-o', 'remount,ro', dataDir]);
      await expect(openLog({ dataDir })).rejects.toThrow('cannot be opened');
      expect(await readOperations({ dataDir })).toEqual(['resolveUser']);
      execFileSync('mount', ['-o', 'remount,rw', dataDir]);
      writeFileSync(getLogFile(dataDir), 'no database at all'.repeat(100));
      await expect(openLog({ dataDir })).rejects.toMatchObject({ breach: 'altered' });
      await expect(verifyPlace({ dataDir })).rejects.toMatchObject({ breach: 'altered' });
    });
  });
});

describe('a log on PostgreSQL', () => {
  it.each([
    ['before', 'audit commit more'],
    ['at', 'audit commit more'],
    ['after', ''],
  ] as const)(
    'has each record once where the connection is cut %s the commit',
    async (when, text) => {
      await inPlace('PostgreSQL', async (own) => {
        const network = await forgetfulProxy(own.postgres?.url ?? '');
        const log = await openLog({ ...own, postgres: { url: network.url } });
        const operations: string[] = [];
        const batch = async (): Promise<void> => {
          const next = numbered(30, operations.length);
          operations.push(...next);
          await recordAll(log, next);
        };
        await batch();
        for (let round = 0; round < 3; round += 1) {
          if (when === 'at') {
            const forgot = network.forgetAnswerTo(text);
            // A prepared statement's text is only sent once per connection, so this one follows a new connection.
            network.forget();
            await Promise.all([forgot, batch()]);
          } else if (when === 'before') {
            network.forget();
            await batch();
          } else {
            await batch();
            network.forget();
          }
        }
        await batch();
        await log.close();
        await network.close();
        expect(await readOperations(own)).toEqual(operations);
        await verifyPlace(own);
      });
    },
  );

  it('is interrupted while the server is away, says which records it may have, and goes on', async () => {
    await inPlace('PostgreSQL', async (own) => {
      const network = await forgetfulProxy(own.postgres?.url ?? '');
      const states: string[] = [];
      const log = await openLog(
        { ...own, postgres: { url: `${network.url}?query_timeout=500` } },
        { onStateChange: (state) => states.push(state) },
      );
      await tamper(own, async ({ rows }) => {
        await rows('begin');
        await rows('lock table audit_head in access exclusive mode');
        const waiting = log.record(auditText({ operation: 'lost' }));
        await expect(waiting).rejects.toMatchObject({
          name: 'AuditUnavailableError',
          isRefused: false,
        });
        expect(log.state().isInterrupted).toBe(true);
        await expect(log.record(auditText())).rejects.toThrow(AuditUnavailableError);
        await rows('rollback');
      });
      await until(() => !log.state().isInterrupted);
      await log.record(auditText({ operation: 'after' }));
      await log.close();
      await network.close();
      expect(states).toEqual(['interrupted', 'open']);
      const operations = await readOperations(own);
      expect(operations.filter((one) => one === 'after')).toHaveLength(1);
      expect(operations.filter((one) => one === 'lost').length).toBeLessThan(2);
      await verifyPlace(own);
    });
  });

  it('takes no record without a standby where it is to be replicated', async () => {
    await inPlace('PostgreSQL', async (own) => {
      const { url = '' } = own.postgres ?? {};
      const replicated = { ...own, postgres: { url, replicated: true } };
      await expect(openLog(replicated)).rejects.toThrow('without a standby');
      expect(await tamper(own, ({ rows }) => rows('select * from audit_record'))).toEqual([]);
      await appendTo(own);
      await expect(openLog(replicated)).rejects.toThrow('synchronous_standby_names is empty');
    });
  });

  it('keeps the logs of several data folders apart', async () => {
    await inPlace('PostgreSQL', async (place) => {
      await inFolder(async (otherDir) => {
        const other = { ...place, dataDir: otherDir };
        const logs = [await openLog(place), await openLog(other)];
        await Promise.all(logs.map((log) => recordAll(log, numbered(30))));
        await Promise.all(logs.map((log) => log.close()));
        for (const one of [place, other]) {
          expect(await readOperations(one)).toEqual(numbered(30));
          await verifyPlace(one);
        }
        // The key belongs to another log, so opening fails.
        writeFileSync(getLogIdFile(otherDir), `${logs[0]?.logId ?? ''}\n`);
        await expect(openLog(other)).rejects.toThrow(LogRefusedError);
      });
    });
  });
});
