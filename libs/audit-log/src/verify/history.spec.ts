import { describe, expect, it } from '@jest/globals';
import { seed as first } from '@caregate/seeded/seed';
import { SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { keyFile, openOn, record } from './forged-log.testing.ts';
import {
  playHistory,
  textsOf,
  Violation,
  type HistoryOptions,
  type HistoryReport,
} from './history.testing.ts';

const histories = 1500;

/** Plays histories and gives the first violation. */
async function violationOf(
  seeds: Iterable<number>,
  more: Partial<HistoryOptions> = {},
  told: (report: HistoryReport) => void = () => undefined,
): Promise<unknown> {
  for (const seed of seeds) {
    try {
      told(await playHistory({ seed, ...more }));
    } catch (error) {
      if (!(error instanceof Violation)) {
        throw error;
      }
      return { seed, message: error.message, cause: error.cause };
    }
  }
  return undefined;
}

const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe('a log on a disk that fails, forgets and stops', () => {
  it('keeps what it acknowledged, once, and verifies: through restarts and refusals', async () => {
    const sum = { acknowledged: 0, starts: 0, refused: 0 };
    const violation = await violationOf(seedsOf(histories), {}, (report) => {
      sum.acknowledged += report.acknowledged;
      sum.starts += report.starts;
      sum.refused += report.refused;
    });
    expect(violation).toBeUndefined();
    // It met all that it is for.
    expect(sum.acknowledged).toBeGreaterThan(5 * histories);
    expect(sum.starts).toBeGreaterThan(2.5 * histories);
    expect(sum.refused).toBeGreaterThan(0.2 * histories);
  });

  it('sets aside a last group of which a lost sector has the end of its length', () => {
    const disk = new SimulatedDisk({ seed: 1 });
    disk.plant(keyFile.replace('audit-key.pem', 'service.toml'), Buffer.alloc(0));
    const log = openOn(disk);
    const { logId } = log.identity;
    log.append([record(0)]);
    log.checkpoint();
    log.close();
    const [path = '', proven = Buffer.alloc(0)] =
      [...disk.files()].find(([name]) => name.includes('/records/')) ?? [];
    const again = openOn(disk);
    again.append([record(1)]);
    again.close();
    const torn = disk.files().get(path)!;
    // Byte 7 is the last one of the length: from there on a sector of zeros.
    torn.fill(0, proven.length + 7, proven.length + 200);
    disk.plant(path, torn);
    const repaired = openOn(disk);
    expect(repaired.size).toBe(2);
    repaired.close();
    expect(textsOf(disk, logId)[1]).toContain('"operation":"tornGroup"');
  });

  it.each([1_073_593])('keeps its promises in a history that once broke one: %i', async (seed) => {
    expect(await violationOf([seed])).toBeUndefined();
  });

  it('repeats a history with its seed', async () => {
    const once = await playHistory({ seed: 4711 });
    expect(await playHistory({ seed: 4711 })).toEqual(once);
    expect(once.calls).toBeGreaterThan(10);
  });

  it('would be found out where nothing is synced', async () => {
    let found = 0;
    for (const seed of seedsOf(100)) {
      found += (await violationOf([seed], { ignoresSyncs: true })) === undefined ? 0 : 1;
    }
    expect(found).toBeGreaterThan(15);
  });
});
