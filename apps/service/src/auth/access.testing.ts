import { afterEach } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ActDecision, RecordAct } from './access-acts.ts';
import type { AuditAct } from '../audit/audit-entries.ts';
import type { AccessOptions } from './access-database.ts';
import { AccessStore } from './access-store.ts';

export const teamA = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a1111';
export const teamB = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a2222';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const unrecorded: RecordAct = () => Promise.resolve();

interface Clock {
  nowMs: number;
}

interface RecordedAct extends AuditAct {
  readonly decision: ActDecision;
}

export interface AccessFixture {
  readonly store: AccessStore;
  readonly clock: Clock;
  readonly acts: readonly RecordedAct[];
  /** If set, it replaces the recording of `acts`. */
  instead: RecordAct | undefined;
  /** Opens the same data as another process would. */
  readonly openAnother: () => Promise<AccessStore>;
}

const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** Opens an empty store, which is closed and removed after the test. */
export async function openAccess(): Promise<AccessFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-access-'));
  cleanups.push(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return await openFixture((options) => AccessStore.open(folder, options));
}

/** Set by mutation tests, since starting a server for each of a thousand mutants would take hours. */
const { onlyEngine } = globalThis as { onlyEngine?: string };

export interface AccessEngine {
  readonly name: string;
  readonly openAccess: () => Promise<AccessFixture>;
}

export const accessEngines: readonly AccessEngine[] = [
  { name: 'SQLite', openAccess },
  onPostgres(),
].filter(({ name }) => name === (onlyEngine ?? name));

function onPostgres(): AccessEngine {
  let database: Promise<string> | undefined;
  return {
    name: 'PostgreSQL',
    openAccess: async () => {
      const url = await (database ??= newDatabase());
      cleanups.push(async () => {
        const cleaner = new pg.Client(url);
        await cleaner.connect();
        const tables = ['teams', 'permanent_secret', 'cursor_secrets', 'taken_tokens'];
        await cleaner.query(`truncate ${tables.map((name) => `access.${name}`).join()} cascade`);
        await cleaner.end();
      });
      return await openFixture((options) => AccessStore.openPostgres(url, options));
    },
  };
}

async function openFixture(
  openOne: (options: AccessOptions) => Promise<AccessStore>,
): Promise<AccessFixture> {
  const clock: Clock = { nowMs: Date.UTC(2026, 0, 15, 9, 30, 12, 345) };
  const acts: RecordedAct[] = [];
  const record: RecordAct = async (act, decision) => {
    await (fixture.instead ?? keep)(act, decision);
  };
  const keep: RecordAct = (act, decision) => {
    acts.push({ ...act, decision });
    return Promise.resolve();
  };
  const openAnother = async (): Promise<AccessStore> => {
    const store = await openOne({ now: () => clock.nowMs, acts: record });
    cleanups.push(() => store.close());
    return store;
  };
  const fixture: Omit<AccessFixture, 'store'> = { clock, acts, instead: undefined, openAnother };
  return Object.assign(fixture, { store: await openAnother() });
}
