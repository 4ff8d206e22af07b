import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessStore } from './access-store.ts';

export const teamA = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a1111';
export const teamB = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a2222';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A clock that moves only when it is told to. */
export interface Clock {
  nowMs: number;
}

export interface AccessFixture {
  readonly store: AccessStore;
  readonly clock: Clock;
  /** The same data folder as another process would open it. */
  readonly openAnother: () => Promise<AccessStore>;
}

/** For specs: an access store in a folder of its own, gone afterwards. */
export async function withAccess(body: (fixture: AccessFixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-access-'));
  const clock: Clock = { nowMs: Date.UTC(2026, 0, 15, 9, 30, 12, 345) };
  const opened: AccessStore[] = [];
  const open = async (): Promise<AccessStore> => {
    const store = await AccessStore.open(folder, { now: () => clock.nowMs });
    opened.push(store);
    return store;
  };
  try {
    await body({ store: await open(), clock, openAnother: open });
  } finally {
    for (const store of opened) {
      await store.close();
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
