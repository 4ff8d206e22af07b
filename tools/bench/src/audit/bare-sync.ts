import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { typical, type Row } from '../measure.ts';

const rounds = 5;
const syncs = 400;
/** About as many as the log makes at 1,000 requests a second, and about as many bytes. */
const perSecond = 200;
const group = Buffer.alloc(4096, 'g');

/**
 * What the disk alone takes to make a write durable: no answer that is recorded before it leaves can take less. Into room that
 * is there, as the log writes, and beside it at the end of a file, whose length is then written, too.
 */
export async function bareSync(folder: string): Promise<Row[]> {
  const times: { reserved: number[][]; growing: number[][] } = { reserved: [], growing: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.reserved.push(await syncTimes(join(folder, `reserved-${round}`), true));
    times.growing.push(await syncTimes(join(folder, `growing-${round}`), false));
  }
  return [0.5, 0.99].map((q) => ({
    what: `a bare write and fdatasync, ${perSecond} a second, p${q * 100} (baseline: at the end of a file)`,
    unit: 'ms',
    measured: typical(times.reserved, q),
    baseline: typical(times.growing, q),
  }));
}

async function syncTimes(path: string, isReserved: boolean): Promise<number[]> {
  const file = openSync(path, 'wx');
  const times: number[] = [];
  try {
    if (isReserved) {
      writeSync(file, Buffer.alloc(syncs * group.length));
      fsyncSync(file);
    }
    const start = performance.now();
    while (times.length < syncs) {
      const began = performance.now();
      if (times.length < ((began - start) * perSecond) / 1000) {
        writeSync(file, group, 0, group.length, times.length * group.length);
        fdatasyncSync(file);
        times.push(performance.now() - began);
      } else {
        await wait(1);
      }
    }
  } finally {
    closeSync(file);
  }
  return times;
}
