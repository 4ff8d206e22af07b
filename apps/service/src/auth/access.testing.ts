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

export async function withAccess(body: (fixture: AccessFixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-access-'));
  try {
    await withOpener((options) => AccessStore.open(folder, options), body);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Set by mutation tests, since starting a server for each of a thousand mutants would take hours. */
const { onlyEngine } = globalThis as { onlyEngine?: string };

export interface AccessEngine {
  readonly name: string;
  readonly withAccess: (body: (fixture: AccessFixture) => Promise<void>) => Promise<void>;
}

export const accessEngines: readonly AccessEngine[] = [
  { name: 'SQLite', withAccess },
  onPostgres(),
].filter(({ name }) => name === (onlyEngine ?? name));

function onPostgres(): AccessEngine {
  let database: Promise<string> | undefined;
  return {
    name: 'PostgreSQL',
    withAccess: async (body) => {
      const url = await (database ??= newDatabase());
      try {
        await withOpener((options) => AccessStore.openPostgres(url, options), body);
      } finally {
        const cleaner = new pg.Client(url);
        await cleaner.connect();
        const tables = ['teams', 'permanent_secret', 'cursor_secrets', 'taken_tokens'];
        await cleaner.query(`truncate ${tables.map((name) => `access.${name}`).join()} cascade`);
        await cleaner.end();
      }
    },
  };
}

async function withOpener(
  openOne: (options: AccessOptions) => Promise<AccessStore>,
  body: (fixture: AccessFixture) => Promise<void>,
): Promise<void> {
  const clock: Clock = { nowMs: Date.UTC(2026, 0, 15, 9, 30, 12, 345) };
  const opened: AccessStore[] = [];
  const acts: RecordedAct[] = [];
  const record: RecordAct = async (act, decision) => {
    await (fixture.instead ?? keep)(act, decision);
  };
  const keep: RecordAct = (act, decision) => {
    acts.push({ ...act, decision });
    return Promise.resolve();
  };
  const open = async (): Promise<AccessStore> => {
    const store = await openOne({ now: () => clock.nowMs, acts: record });
    opened.push(store);
    return store;
  };
  const fixture: Omit<AccessFixture, 'store'> & { store?: AccessStore } = {
    ...{ clock, acts, instead: undefined, openAnother: open },
  };
  try {
    await body(Object.assign(fixture, { store: await open() }));
  } finally {
    for (const store of opened) {
      await store.close();
    }
  }
}
