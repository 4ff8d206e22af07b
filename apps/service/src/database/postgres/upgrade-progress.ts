import type pg from 'pg';
import { clockOf, tellSlowWork, type ToldWhere } from '../tell-slow-work.ts';

/** How far the upgrade of a schema is. */
export interface Upgrade {
  readonly schema: string;
  /** From 1; 0 while another instance upgrades the same schema, which is waited for. */
  readonly step: number;
  readonly of: number;
  /** From 0 to 1, of the index that is made now, where it makes one. */
  readonly ofIndex: number | undefined;
}

/** Told at each step and twice a second; undefined at the end. */
export type OnUpgrading = (at: Upgrade | undefined) => void;

const pollMs = 500;

/** Tells at which step an upgrade is, and for how long it has been going on: nobody knows how long a step takes. */
export function tellUpgrading(where: ToldWhere): OnUpgrading {
  const work = tellSlowWork(where);
  return (at) => {
    if (at === undefined) {
      work.end();
    } else {
      work.say((seconds) => upgradeText(at, seconds));
    }
  };
}

function upgradeText({ schema, step, of, ofIndex }: Upgrade, seconds: number): string {
  const since = `${clockOf(seconds)} so far`;
  if (step === 0) {
    return `Waiting for another instance that upgrades the schema "${schema}" of the database: ${since}`;
  }
  const index = ofIndex === undefined ? '' : `, its index ${Math.floor(100 * ofIndex)} %`;
  return `The schema "${schema}" of the database is upgraded, once: step ${step} of ${of}${index}, ${since}`;
}

/** Asks again and again how far the upgrade is that goes on in a backend of the same database, until it is stopped. */
export function watchUpgrade(
  pool: pg.Pool,
  at: Omit<Upgrade, 'ofIndex'> & { readonly backend: number },
  onUpgrading: OnUpgrading,
): { stop: () => Promise<void> } {
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    const ofIndex = await ofIndexIn(pool, at.backend);
    onUpgrading({ schema: at.schema, step: at.step, of: at.of, ofIndex });
    asking = undefined;
  };
  const timer = setInterval(() => {
    asking ??= ask();
  }, pollMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await asking;
      onUpgrading(undefined);
    },
  };
}

interface IndexProgress {
  readonly blocks: number;
  readonly blocks_done: number;
  readonly tuples: number;
  readonly tuples_done: number;
}

/** An index is read from its table in blocks and then written in tuples; each counts as a half. */
async function ofIndexIn(pool: pg.Pool, backend: number): Promise<number | undefined> {
  try {
    const { rows } = await pool.query<IndexProgress>(
      `select blocks_total::float8 as blocks, blocks_done::float8, tuples_total::float8 as tuples, tuples_done::float8
      from pg_stat_progress_create_index where pid = $1`,
      [backend],
    );
    const [row] = rows;
    return row && (part(row.blocks_done, row.blocks) + part(row.tuples_done, row.tuples)) / 2;
  } catch {
    // The upgrade itself tells what is wrong with the database.
    return undefined;
  }
}

const part = (done: number, of: number): number => (of > 0 ? Math.min(1, done / of) : 0);
