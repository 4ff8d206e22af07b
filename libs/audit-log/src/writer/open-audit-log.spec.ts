import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  NoAuditLogError,
} from '../errors.ts';
import { logPaths } from '../folder/layout.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry, inFolder, until } from '../testing/audit-entry.testing.ts';
import { bodiesIn, withReader } from '../testing/folder-log.testing.ts';
import type { AuditLog } from './audit-log.ts';
import { openAuditLog } from './open-audit-log.ts';
import { verifyFolder } from '../verify/verify-folder.ts';
import { recordActs, rotateKey } from './record-acts.ts';

const act = auditEntry({ operation: 'createKey' });

function operationsIn(folder: string): string[] {
  return bodiesIn(folder).map(({ operation }) => operation);
}

async function withLog<T>(folder: string, use: (log: AuditLog) => Promise<T>): Promise<T> {
  const log = await openAuditLog(folder, { host: 'clinic.example' });
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

/** Each signature fails as long as this is in the way. */
function blockCheckpoints(folder: string): () => void {
  const draft = join(folder, 'audit/checkpoint.new');
  mkdirSync(join(draft, 'in the way'), { recursive: true });
  return () => {
    rmSync(draft, { recursive: true });
  };
}

describe('the signing key of a log that is being written', () => {
  it('is replaced by a command, while each record is taken, and everybody knows the new one', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        const first = log.verifierKey;
        await log.record(act);
        const kept = await log.checkpoint();
        let rotations = 0;
        let recorded = 1;
        const load = async (): Promise<void> => {
          while (rotations < 3) {
            await Promise.all(Array.from({ length: 50 }, () => log.record(act)));
            recorded += 50;
          }
        };
        const rotate = async (): Promise<void> => {
          for (; rotations < 3; rotations += 1) {
            const key = await rotateKey(folder, 'command line: amara');
            expect(log.verifierKey).toBe(key);
          }
        };
        await Promise.all([load(), load(), rotate()]);
        for (const text of [first, log.verifierKey]) {
          const outside = VerifierKey.parse(text).open(await log.checkpoint());
          expect(outside).toMatchObject({ size: recorded + 3 });
        }
        const { size } = await log.verify(1);
        expect(size).toBe(recorded + 3);
        const key = VerifierKey.parse(first);
        expect((await verifyFolder(folder, { key, outside: kept })).size).toBe(size);
        expect(operationsIn(folder).filter((one) => one === 'rotateAuditKey')).toHaveLength(3);
        withReader(folder, (reader) => {
          reader.requireOwnKey();
          expect(reader.keys().current.text).toBe(log.verifierKey);
        });
      }),
    );
  });

  it('stays where a new one can not be made, and the log goes on', async () => {
    await inFolder(async (folder) => {
      await expect(rotateKey(folder, 'amara')).rejects.toThrow('has no audit log');
      await withLog(folder, async (log) => {
        const first = log.verifierKey;
        await expect(rotateKey(folder, 'amara')).rejects.toThrow('has no records yet');
        await log.record(act);
        // A folder in the place of its draft.
        const draft = join(folder, 'audit-key.pem.next.new');
        mkdirSync(join(draft, 'in the way'), { recursive: true });
        await expect(rotateKey(folder, 'amara')).rejects.toThrow(AuditLogError);
        rmSync(draft, { recursive: true });
        expect(log.state().latched).toBe(false);
        await log.record(act);
        expect([log.verifierKey, operationsIn(folder).length]).toEqual([first, 2]);
        const [one, other] = await Promise.allSettled([
          rotateKey(folder, 'amara'),
          rotateKey(folder, 'amara'),
        ]);
        expect([one.status, other.status]).toContain('fulfilled');
        await log.record(act);
      });
      const before = readFileSync(join(folder, 'audit-key.pem'));
      const key = await rotateKey(folder, 'amara');
      expect(readFileSync(join(folder, 'audit-key.pem'))).not.toEqual(before);
      await withLog(folder, async (log) => {
        expect(log.verifierKey).toBe(key);
        await log.record(act);
      });
    });
  });
});

describe('the log of a service', () => {
  it('has a record on disk before it says so', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        for (let seq = 0; seq < 20; seq += 1) {
          expect(await log.record(act)).toEqual({ logId: log.logId, seq });
          expect(operationsIn(folder)).toHaveLength(seq + 1);
        }
      }),
    );
  });

  it('makes the records of a tick durable together, and numbers them in order', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        const all = await Promise.all(Array.from({ length: 3000 }, () => log.record(act)));
        expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 3000 }, (_, seq) => seq));
        const { groups, syncMs, ...state } = log.state();
        expect(state).toEqual({ queued: 0, latched: false, written: 3000 });
        expect(groups).toBeLessThanOrEqual(12);
        expect(syncMs.sum).toBeGreaterThan(0);
      }),
    );
  });

  it('refuses what goes over the queue, keeps what does not', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, { queueLimit: 10 });
      const all = await Promise.allSettled(Array.from({ length: 15 }, () => log.record(act)));
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect((all.at(-1) as PromiseRejectedResult).reason).toBeInstanceOf(AuditUnavailableError);
      await log.close();
      expect(operationsIn(folder)).toHaveLength(10);
      await expect(log.record(act)).rejects.toThrow(AuditUnavailableError);
    });
  });

  it('signs while records come, and at the end', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, { checkpointEveryMs: 20 });
      const signed = (): number =>
        VerifierKey.parse(log.verifierKey).open(withReader(folder, (reader) => reader.checkpoint()))
          .size;
      await log.record(act);
      await until(() => signed() === 1);
      await Promise.all([log.record(act), log.close()]);
      expect(signed()).toBe(2);
    });
  });

  it('latches when the disk fails, takes nothing until the end is checked, and resumes', async () => {
    await inFolder(async (folder) => {
      const states: string[] = [];
      const log = await openAuditLog(folder, { onStateChange: (state) => states.push(state) });
      await log.record(act);
      const letGo = blockCheckpoints(folder);
      await expect(log.checkpoint()).rejects.toThrow(AuditUnavailableError);
      await expect(log.record(act)).rejects.toThrow(AuditUnavailableError);
      expect(log.state()).toMatchObject({ latched: true, queued: 0 });
      letGo();
      await until(() => !log.state().latched);
      await log.record(auditEntry({ operation: 'after' }));
      expect([...new Set(states)]).toEqual(['latched', 'open']);
      await log.close();
      expect(operationsIn(folder)).toEqual(['createKey', 'after']);
    });
  });

  it('stays latched where the log was tampered with meanwhile', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(act);
      const letGo = blockCheckpoints(folder);
      await expect(log.checkpoint()).rejects.toThrow(AuditUnavailableError);
      rmSync(join(folder, 'audit/checkpoint'));
      letGo();
      await expect(log.record(act)).rejects.toThrow(AuditUnavailableError);
      await log.close();
      await expect(openAuditLog(folder)).rejects.toMatchObject({ kind: 'checkpoint_missing' });
    });
  });
});

describe('one process writes', () => {
  it('and a second one that wants to is refused', async () => {
    await inFolder((folder) =>
      withLog(folder, async () => {
        await expect(openAuditLog(folder, { busyTimeoutMs: 100 })).rejects.toMatchObject({
          kind: 'in_use',
        });
      }),
    );
  });

  it('and lets go when it is killed', async () => {
    await inFolder(async (folder) => {
      const source = `
        import { openAuditLog } from ${JSON.stringify(new URL('./open-audit-log.ts', import.meta.url))};
        await openAuditLog(${JSON.stringify(folder)});
        process.stdout.write('open');
        setInterval(() => undefined, 1000);`;
      const child = spawn(
        process.execPath,
        ['--conditions=@caregate/source', '--input-type=module', '-e', source],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await expect(recordActs(folder, [act])).resolves.toContain('/audit/');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await recordActs(folder, [act]);
      await withLog(folder, (log) => log.record(act));
      expect(operationsIn(folder)).toEqual(['createKey', 'createKey', 'createKey']);
    });
  });
});

describe('a command', () => {
  it('records through the process that writes, and gets the checkpoint over it', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        await log.record(act);
        const note = await recordActs(folder, [act, act]);
        expect(VerifierKey.parse(log.verifierKey).open(note).size).toBe(3);
        expect(log.state().written).toBe(3);
      }),
    );
  });

  it('does so where the path of the folder is too long for a socket', async () => {
    await inFolder(async (folder) => {
      const deep = join(folder, 'd'.repeat(120));
      mkdirSync(deep);
      await withLog(deep, async (log) => {
        await recordActs(deep, [act]);
        expect(log.state().written).toBe(1);
      });
      expect(readdirSync(join(deep, 'audit')).filter((name) => name.startsWith('socket'))).toEqual(
        [],
      );
    });
  });

  it('records by itself where nobody writes', async () => {
    await inFolder(async (folder) => {
      await withLog(folder, (log) => log.record(act));
      await recordActs(folder, [act]);
      expect(operationsIn(folder)).toHaveLength(2);
    });
  });

  it('creates no log unless asked to, and no folder at all', async () => {
    await inFolder(async (folder) => {
      await expect(recordActs(folder, [act])).rejects.toThrow(NoAuditLogError);
      expect(readdirSync(folder)).toEqual([]);
      const mistyped = join(folder, 'mistyped');
      await expect(recordActs(mistyped, [act], { create: true })).rejects.toThrow(NoAuditLogError);
      expect(existsSync(mistyped)).toBe(false);
      await recordActs(folder, [act], { create: true });
      expect(operationsIn(folder)).toEqual(['createKey']);
    });
  });

  it('is told when the service can not sign, and may have recorded', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(act);
      const letGo = blockCheckpoints(folder);
      await expect(recordActs(folder, [act])).rejects.toThrow(AuditUnavailableError);
      letGo();
      await log.close();
    });
  });

  it('finds a socket that only its owner can use, and none of a closed log', async () => {
    await inFolder(async (folder) => {
      const socket = join(folder, 'audit/socket');
      await withLog(folder, async () => {
        expect(statSync(socket).mode & 0o777).toBe(0o600);
        expect(statSync(join(folder, 'audit')).mode & 0o777).toBe(0o700);
        await new Promise((resolve) => {
          const strange = createConnection(socket, () => strange.end('no JSON\n'));
          strange.on('data', resolve);
        });
        await recordActs(folder, [act]);
      });
      expect(existsSync(socket)).toBe(false);
    });
  });

  it('removes nothing that a planted address names', async () => {
    await inFolder(async (folder) => {
      const deep = join(folder, 'd'.repeat(120));
      mkdirSync(join(deep, 'audit'), { recursive: true });
      const precious = join(folder, 'precious');
      writeFileSync(precious, '');
      writeFileSync(join(deep, 'audit/socket-path'), precious);
      await withLog(deep, (log) => log.record(act));
      expect(existsSync(precious)).toBe(true);
    });
  });
});

describe('a log that verifies itself', () => {
  const part = 0.5;

  it('verifies all that it has, while records come', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        await Promise.all(Array.from({ length: 3000 }, () => log.record(act)));
        const verifying = log.verify(part);
        await log.record(act);
        const { size, root } = await verifying;
        expect(size).toBeGreaterThanOrEqual(3000);
        expect(root).toHaveLength(32);
      }),
    );
  });

  it('names a record that was changed before the newest checkpoint', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        await Promise.all(Array.from({ length: 20 }, () => log.record(act)));
        await log.checkpoint();
        const { records } = logPaths(folder);
        const segment = join(records, readdirSync(records)[0] ?? '');
        const bytes = readFileSync(segment);
        bytes.write('deleteKey', bytes.indexOf('createKey'));
        writeFileSync(segment, bytes);
        await expect(log.verify(part)).rejects.toThrow(AuditBrokenError);
        expect(log.state().latched).toBe(false);
      }),
    );
  });

  it('stops when it is told to', async () => {
    await inFolder((folder) =>
      withLog(folder, async (log) => {
        await log.record(act);
        await expect(log.verify(part, AbortSignal.abort())).rejects.toThrow('aborted');
        const ending = new AbortController();
        const verifying = log.verify(part, ending.signal);
        ending.abort();
        await expect(verifying).rejects.toThrow();
      }),
    );
  });
});
