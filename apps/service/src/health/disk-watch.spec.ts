import { describe, expect, it } from '@jest/globals';
import { DiskWatch, type DiskSpace } from './disk-watch.ts';

const gibi = 2 ** 30;

function watched() {
  let now: DiskSpace | Error = { freeBytes: 500 * gibi, totalBytes: 1000 * gibi };
  const logged: string[] = [];
  const watch = new DiskWatch(
    () => (now instanceof Error ? Promise.reject(now) : Promise.resolve(now)),
    {
      info: ({ free_bytes }: { free_bytes: number }) => logged.push(`enough ${free_bytes / gibi}`),
      warn: (facts: object) => 'error' in facts && logged.push('unknown'),
    },
    ({ freeBytes }) => logged.push(`low ${freeBytes / gibi}`),
  );
  const see = async (space: DiskSpace | Error): Promise<void> => {
    now = space;
    await watch.check();
  };
  return { watch, logged, see };
}

const of = (free: number, total: number): DiskSpace => ({
  freeBytes: free * gibi,
  totalBytes: total * gibi,
});

describe('the watch of the disk', () => {
  it('warns once when a tenth is left, and again only after there was more', async () => {
    const { logged, see } = watched();
    for (const free of [101, 100, 50, 100, 105, 109, 90, 111, 100]) {
      await see(of(free, 1000));
    }
    expect(logged).toEqual(['low 100', 'enough 111', 'low 100']);
  });

  it('says once that the space cannot be read, and goes on', async () => {
    const { logged, see, watch } = watched();
    await see(new Error('gone'));
    await see(new Error('gone'));
    expect([logged, watch.space]).toEqual([['unknown'], undefined]);
    await see(of(50, 1000));
    await see(new Error('gone'));
    expect(logged).toEqual(['unknown', 'low 50', 'unknown']);
  });
});
