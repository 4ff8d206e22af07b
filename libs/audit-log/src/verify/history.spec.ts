import { describe, expect, it } from '@jest/globals';
import { SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { keyFile, openOn, record } from './forged-log.testing.ts';
import {
  playHistory,
  textsOf,
  Violation,
  type HistoryOptions,
  type HistoryReport,
} from './history.testing.ts';

const histories = 20_000;
const portions = 40;

/** Plays histories and gives the first violation. */
async function violationOf(
  seeds: Iterable<number>,
  more: Partial<HistoryOptions> = {},
): Promise<unknown> {
  for (const seed of seeds) {
    try {
      await playHistory({ seed, ...more });
    } catch (error) {
      if (!(error instanceof Violation)) {
        throw error;
      }
      return { seed, message: error.message, cause: error.cause };
    }
  }
  return undefined;
}

function* portion(at: number): Generator<number> {
  for (let seed = at; seed < histories; seed += portions) {
    yield seed;
  }
}

describe('a log on a disk that fails, forgets and stops', () => {
  it.each(Array.from({ length: portions }, (_, at) => [at]))(
    'keeps what it acknowledged, once, and verifies: every fortieth history from %i on',
    async (at) => {
      expect(await violationOf(portion(at))).toBeUndefined();
    },
  );

  it('sets aside a last group of which a lost sector has the end of its length', () => {
    const disk = new SimulatedDisk({ seed: 1 });
    disk.plant(keyFile.replace('audit-key.pem', 'service.toml'), Buffer.alloc(0));
    const log = openOn(disk);
    const { logId } = log.identity;
    log.append([record(logId, Date.now(), 0)]);
    log.checkpoint();
    log.close();
    const [path = '', proven = Buffer.alloc(0)] =
      [...disk.files()].find(([name]) => name.includes('/records/')) ?? [];
    const again = openOn(disk);
    again.append([record(logId, Date.now(), 1)]);
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

  it('meets all that it is for: restarts, refusals, records', async () => {
    const reports: HistoryReport[] = [];
    for (let seed = 0; seed < 100; seed += 1) {
      reports.push(await playHistory({ seed }));
    }
    const sum = (of: 'acknowledged' | 'starts' | 'refused'): number =>
      reports.reduce((total, report) => total + report[of], 0);
    expect(sum('acknowledged')).toBeGreaterThan(500);
    expect(sum('starts')).toBeGreaterThan(250);
    expect(sum('refused')).toBeGreaterThan(20);
  });

  it('would be found out where nothing is synced', async () => {
    let found = 0;
    for (let seed = 0; seed < 100; seed += 1) {
      found += (await violationOf([seed], { ignoresSyncs: true })) === undefined ? 0 : 1;
    }
    expect(found).toBeGreaterThan(15);
  });
});
