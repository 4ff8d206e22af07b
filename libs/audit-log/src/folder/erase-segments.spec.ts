import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { approveCut, proposeCut } from '../cut/commands/cut-acts.ts';
import { enrolApprover } from '../cut/commands/approver-acts.ts';
import type { Month } from '../cut/months.ts';
import { surveyLog } from '../cut/commands/survey.ts';
import type { CutAct } from '../cut/commands/cut-acts.ts';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { ProcessStopped, SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { parseVerifierKey, verifierKey } from '../note/checkpoint.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { encoded, openWriter } from '../testing/folder-log.testing.ts';
import { verifyFolder, type VerifyReport } from '../verify/verify-folder.ts';
import { exportNdjson } from '../export/ndjson.ts';
import { provenRecords } from '../export/proven-records.ts';
import { eraseSegments } from './erase-segments.ts';
import { LogReader } from './log-reader.ts';
import type { LogWriter } from './log-writer.ts';

const dataDir = '/data';
const nowMs = Date.parse('2026-11-21T08:00:00Z');
const times = { nowMs, years: 7 };
const dana = generateKeyPairSync('ed25519').privateKey;
const omar = generateKeyPairSync('ed25519').privateKey;

function act(log: LogWriter, acts: readonly CutAct[]): void {
  log.append(acts.map((one) => encoded(log, auditEntry({ ...one, patients: [] }), nowMs)));
  log.checkpoint();
}

/** A log of this many records a month, 2018-04 to 2018-06, with a cut up to 2018-05 agreed on and recorded. */
async function agreed(disk: Disk, perMonth: number): Promise<LogWriter> {
  const log = openWriter(dataDir, { disk, now: () => nowMs, segmentBytes: 20_000 });
  for (const month of ['2018-04', '2018-05', '2018-06']) {
    const at = Date.parse(`${month}-02T10:00:00Z`);
    log.append(Array.from({ length: perMonth }, () => encoded(log, auditEntry(), at)));
  }
  log.checkpoint();
  const reader = new LogReader(disk, dataDir);
  for (const [name, key] of Object.entries({ dana, omar })) {
    act(log, [enrolApprover(await surveyLog(reader), verifierKey(name, key)).act]);
  }
  const { id, acts } = await proposeCut(reader, dana, '2018-05' as Month, times);
  act(log, acts);
  act(log, (await approveCut(reader, dana, id, times)).acts);
  act(log, (await approveCut(reader, omar, id, times)).acts);
  reader.close();
  return log;
}

function simulated(seed = 1): SimulatedDisk {
  const disk = new SimulatedDisk({ seed });
  disk.makeFolder(dataDir);
  disk.syncFolder('/');
  return disk;
}

async function verified(disk: Disk): Promise<VerifyReport> {
  const reader = new LogReader(disk, dataDir);
  const key = parseVerifierKey(reader.identity().verifierKey);
  reader.close();
  return await verifyFolder(disk, dataDir, { key, nowMs });
}

describe('erasing on a folder', () => {
  it.each([7, 100, 128, 300])(
    'removes whole files, and the log goes on, with %i records a month',
    async (perMonth) => {
      const disk = simulated();
      const log = await agreed(disk, perMonth);
      const root = new LogReader(disk, dataDir).root(log.size);
      await eraseSegments(disk, dataDir, 2 * perMonth);
      expect(await verified(disk)).toMatchObject({ cut: 2 * perMonth, unproven: 0, root });
      const reader = new LogReader(disk, dataDir);
      expect(reader.firstKept()).toBe(2 * perMonth);
      expect(reader.root(log.size)).toEqual(root);
      expect(Array.from(reader.inclusion(0, log.size))).not.toHaveLength(0);
      reader.close();
      log.append(Array.from({ length: 300 }, () => encoded(log, auditEntry(), nowMs)));
      log.close();
      const again = openWriter(dataDir, { disk, now: () => nowMs });
      again.append([encoded(again, auditEntry(), nowMs)]);
      again.checkpoint();
      again.close();
      expect((await verified(disk)).cut).toBe(2 * perMonth);
    },
  );

  it('may stop at any call, by a crash or without power, and is gone on with', async () => {
    let stopped = 0;
    for (const how of ['kill', 'power cut'] as const) {
      for (let call = 1; ; call += 1) {
        const disk = simulated(call);
        (await agreed(disk, 100)).close();
        disk.stopAt = disk.calls + call;
        const isDone = await eraseSegments(disk, dataDir, 200).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(ProcessStopped);
            return false;
          },
        );
        disk.stopAt = Number.POSITIVE_INFINITY;
        disk.restart(how);
        expect((await verified(disk)).cut).toBeLessThanOrEqual(200);
        await eraseSegments(disk, dataDir, 200);
        expect((await verified(disk)).cut).toBe(200);
        const log = openWriter(dataDir, { disk, now: () => nowMs });
        log.close();
        if (isDone) {
          break;
        }
        stopped += 1;
      }
    }
    expect(stopped).toBeGreaterThan(10);
  });

  it('stops where it is told to, and erases nothing but whole months', async () => {
    const disk = simulated();
    (await agreed(disk, 100)).close();
    await expect(eraseSegments(disk, dataDir, 150)).rejects.toThrow('No file of records begins');
    let gone = 0;
    const held = eraseSegments(disk, dataDir, 200, () => {
      gone += 1;
      if (gone > 1) {
        throw new Error('A hold was placed');
      }
    });
    await expect(held).rejects.toThrow('A hold was placed');
    const { cut } = await verified(disk);
    expect([cut > 0, cut < 200]).toEqual([true, true]);
  });

  it('is found where nothing allows it: one file more, or all of them', async () => {
    for (const count of [1, 3, 99]) {
      const disk = simulated();
      (await agreed(disk, 100)).close();
      await eraseSegments(disk, dataDir, 200);
      const reader = new LogReader(disk, dataDir);
      const files = disk.list(`${dataDir}/audit/records`).slice(0, count);
      reader.close();
      files.forEach((name) => {
        disk.remove(`${dataDir}/audit/records/${name}`);
      });
      await expect(verified(disk)).rejects.toMatchObject({ name: 'AuditBrokenError' });
    }
  });
});

/** What a reading gives, as text: of the whole log, and when records are erased behind its first item. */
async function readTwice(
  read: (log: LogReader) => Iterable<unknown> | AsyncIterable<unknown>,
): Promise<[whole: string[], beside: string[]]> {
  const disk = simulated();
  (await agreed(disk, 300)).close();
  const reader = new LogReader(disk, dataDir);
  const whole: string[] = [];
  for await (const item of read(reader)) {
    whole.push(JSON.stringify(item));
  }
  const beside: string[] = [];
  for await (const item of read(reader)) {
    if (beside.length === 0) {
      await eraseSegments(disk, dataDir, 600);
      expect(reader.firstKept()).toBe(600);
    }
    beside.push(JSON.stringify(item));
  }
  reader.close();
  return [whole, beside];
}

describe('a reading beside which records are erased', () => {
  it('gives all that was there when it began', async () => {
    const readings = [
      (log: LogReader) => log.read(0, log.size()),
      (log: LogReader) => provenRecords(log),
      (log: LogReader) => exportNdjson(log, log.checkpoint()),
    ];
    for (const read of readings) {
      const [whole, beside] = await readTwice(read);
      expect(whole.length).toBeGreaterThan(2);
      expect(beside.join('\n') === whole.join('\n')).toBe(true);
    }
  });

  it('begins behind what is erased while it opens the files', async () => {
    const disk = simulated();
    (await agreed(disk, 128)).close();
    const reader = new LogReader(disk, dataDir);
    const open = disk.open.bind(disk);
    disk.open = (path) => {
      if (path === pathOf(128)) {
        remove(disk, [0, 128]);
      }
      return open(path);
    };
    const entries = [...reader.read(0, 300)].flatMap((item) => ('seq' in item ? [item] : []));
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, at) => at));
    expect(entries.findIndex(({ entry }) => entry !== undefined)).toBe(256);
    reader.close();
  });

  it('is a whole verification of what was there when it began', async () => {
    const disk = simulated();
    const { identity, size } = await agreed(disk, 128);
    const key = parseVerifierKey(identity.verifierKey);
    let reached = 0;
    const onProgress = (records: number): void => {
      reached ||= records;
      if (reached === records) {
        remove(disk, [0, 128]);
      }
    };
    const beside = await verifyFolder(disk, dataDir, { key, nowMs, isLive: true, onProgress });
    expect([reached, beside.size, beside.cut]).toEqual([128, size, 0]);
    expect((await verified(disk)).cut).toBe(256);
  });

  it('tells what it could not hold open from a file that is missing', () => {
    const disk = simulated();
    const log = openWriter(dataDir, { disk, now: () => nowMs, segmentBytes: 1 });
    for (let seq = 0; seq < 600; seq += 1) {
      log.append([encoded(log, auditEntry(), nowMs)]);
    }
    log.close();
    const reader = new LogReader(disk, dataDir);
    const readBeside = (gone: readonly number[]): void => {
      const reading = reader.read(0, 600);
      reading.next();
      remove(disk, gone);
      expect([...reading]).toHaveLength(1199);
    };
    const kept = disk.files().get(pathOf(550));
    expect(() => {
      readBeside([550]);
    }).toThrow('Record 550 is missing or damaged');
    disk.plant(pathOf(550), kept);
    expect(() => {
      readBeside(Array.from({ length: 599 }, (_, seq) => seq));
    }).toThrow('Record 512 was erased while the log was read. Read it again.');
    reader.close();
  });

  it.each(['EMFILE', 'ENFILE'])(
    'reads and verifies with few files open at once: %s',
    async (code) => {
      const disk = simulated();
      const log = openWriter(dataDir, { disk, now: () => nowMs, segmentBytes: 1 });
      for (let seq = 0; seq < 60; seq += 1) {
        log.append([encoded(log, auditEntry(), nowMs)]);
      }
      log.checkpoint();
      log.close();
      const few = withFewFiles(disk, 20, code);
      expect((await verified(few)).size).toBe(60);
      const reader = new LogReader(few, dataDir);
      const reading = reader.read(0, 60);
      reading.next();
      // Of what is held, the oldest: a cut takes nothing away from the reading there.
      remove(disk, [0, 1]);
      expect([...reading]).toHaveLength(119);
      reader.close();
    },
  );
});

/** The disk for a process that may have so many files open. */
function withFewFiles(disk: SimulatedDisk, most: number, code: string): Disk {
  let open = 0;
  return new Proxy<Disk>(disk, {
    get: (_, name) => {
      if (name !== 'open') {
        const value = Reflect.get(disk, name) as unknown;
        return typeof value === 'function' ? (value.bind(disk) as unknown) : value;
      }
      return (path: string): DiskFile => {
        if (open >= most) {
          throw Object.assign(new Error(`${code}: too many open files`), { code });
        }
        const file = disk.open(path);
        open += 1;
        const close = file.close.bind(file);
        return Object.assign(file, {
          close: () => {
            open -= 1;
            close();
          },
        });
      };
    },
  });
}

function pathOf(first: number): string {
  return `${dataDir}/audit/records/${String(first).padStart(15, '0')}`;
}

function remove(disk: Disk, segments: readonly number[]): void {
  segments.forEach((first) => {
    disk.remove(pathOf(first));
  });
}
