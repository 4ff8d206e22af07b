import { OperatorError } from '../config/operator-error.ts';
import {
  awkwardEnvelopes,
  castOf,
  sampleEnvelopes,
  sampleTeamId,
  sampleUserEnvelopes,
} from '@caregate/sample-data';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AccessStore } from '../access/access-store.ts';
import { ROLES, SCOPES, type Role } from '../operations/roles.ts';
import { importEnvelopes } from '../source/store/import/import.ts';
import { makeFolder } from '../database/sqlite/make-folder.ts';
import { StoreWriter } from '../source/store/import/store-writer.ts';
import type { Sample } from './start/ready-file.ts';

export { sampleTeamId };

/** Stands in a folder that holds made-up people, so that the demo never mixes them with real ones. */
const markFile = 'made-up-people';

/** The folder of one demo. */
export interface DemoFolder {
  readonly path: string;
  /** Removes it where it is the demo's own; a folder that was given stays. */
  readonly remove: () => void;
}

/**
 * The folder that was given, or a new one in the system's temporary folder.
 *
 * @throws OperatorError where the folder holds anything that no demo has put there
 */
export function demoFolder(given: string | undefined): DemoFolder {
  if (given === undefined) {
    const path = mkdtempSync(join(tmpdir(), 'caregate-demo-'));
    return {
      path,
      remove: () => {
        rmSync(path, { recursive: true, force: true });
      },
    };
  }
  makeFolder(given);
  const mark = join(given, markFile);
  if (!existsSync(mark)) {
    if (readdirSync(given).length > 0) {
      throw new OperatorError(
        `${given} holds something that is not from a demo. Name an empty folder, so that made-up people stay apart from real ones.`,
        2,
      );
    }
    writeFileSync(mark, 'The people in this folder are made up. `caregate demo` put them here.\n');
  }
  return { path: given, remove: () => undefined };
}

/** Fills the folder; where the same people are there already, nothing changes. */
export async function fillDemo(folder: string, users: number): Promise<void> {
  const writer = await StoreWriter.open(folder);
  try {
    for (const [name, envelopes] of [
      ['sample', sampleEnvelopes({ users })],
      ['awkward', awkwardEnvelopes()],
    ] as const) {
      const report = await importEnvelopes(writer, name, interruptible(envelopes));
      if (!report.imported) {
        const { first } = report.refused;
        const where = first.map(({ line, reasons }) => `${line}: ${JSON.stringify(reasons)}`);
        throw new OperatorError(`The demo's own people were refused. ${where.join('; ')}`);
      }
    }
  } finally {
    writer.close();
  }
}

/** Lets signals and timers in now and then: the writer works synchronously. */
async function* interruptible<T>(all: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  for (const one of all) {
    count += 1;
    if (count % 256 === 0) {
      await setImmediate();
    }
    yield one;
  }
}

/** A new key for each role, labelled with the role's name; the one of `integration` has every scope. */
export async function makeDemoKeys(folder: string): Promise<Record<Role, string>> {
  const access = await AccessStore.open(folder);
  try {
    const keys: Partial<Record<Role, string>> = {};
    for (const role of ROLES) {
      const { key } = await access.keys.create({
        teamId: sampleTeamId,
        teamName: 'Demo',
        role,
        label: role,
        scopes: role === 'integration' ? SCOPES : [],
      });
      keys[role] = key;
    }
    return keys as Record<Role, string>;
  } finally {
    await access.close();
  }
}

/** Someone with data in all five operations, and dates between which there are mindfulness minutes. */
export interface DemoSample extends Sample {
  readonly start_date: string;
  readonly end_date: string;
}

/** The cast's first, whose everyday visit has everything. */
export function demoSample(): DemoSample {
  const { userId, clientUserId, orderIds, index } = castOf().amara;
  const days: string[] = [];
  for (const envelope of sampleUserEnvelopes(index, { kinds: ['mindfulness_minutes'] })) {
    if (envelope.kind === 'mindfulness_minutes') {
      days.push(...envelope.data.map(({ start }) => new Date(start).toISOString().slice(0, 10)));
    }
  }
  const [last = ''] = days.sort().reverse();
  return {
    user_id: userId,
    client_user_id: clientUserId,
    order_id: orderIds.at(-1) ?? '',
    start_date: new Date(Date.parse(last) - 6 * 86_400_000).toISOString().slice(0, 10),
    end_date: last,
  };
}
