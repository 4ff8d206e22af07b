import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Answer } from '../testing/service.testing.ts';
import {
  DEAREST,
  envelopes,
  MOST_SENT,
  msOfThread,
  openClinic,
  type Clinic,
} from './dearest-requests.testing.ts';
import { OPERATION_NAMES, PUBLIC_ROUTES, type RouteName } from './operations.ts';

const MOST_MS = 20;
const MOST_MIB = 64;
/** What {@link reference} takes on the machine for which these are meant; a slower one may take longer in proportion. */
const REFERENCE_MS = 15;
/** A thread's time is counted in steps of 4 ms here and there: of so many requests at once. */
const TRIES = 4;
/** The cheapest of these counts: the first warms up, and what else runs on the machine makes some of them dearer. */
const ROUNDS = MOST_SENT / TRIES;
/** Made in turns, and one at a time for each caller: no turn is longer. */
const IN_TURNS: readonly RouteName[] = [
  ...(['listDisclosures', 'searchPatients', 'searchServiceRequests'] as const),
  ...(['searchDiagnosticReports', 'searchObservations'] as const),
];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const status = '/proc/self/status';

/** Memory in MiB: what the process has, or the most that it had since it was asked last. */
function memory(name: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(readFileSync(status, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

interface Cost {
  readonly status: number;
  /** Of the service's thread, which is that of the client too. */
  readonly ms: number;
  /** Of its longest turn. */
  readonly turnMs: number;
  readonly mib: number;
}

async function costOf(ask: (number: number) => Promise<Answer>): Promise<Cost> {
  let cost: Cost = { status: 0, ms: Infinity, turnMs: Infinity, mib: Infinity };
  collectGarbage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = existsSync(status) ? memory('VmRSS') : 0;
    if (existsSync(status)) {
      writeFileSync('/proc/self/clear_refs', '5');
    }
    const began = msOfThread();
    const stop = watchTurns();
    let answered = 0;
    for (let number = 0; number < TRIES; number += 1) {
      ({ status: answered } = await ask(round * TRIES + number));
    }
    cost = {
      status: answered,
      turnMs: Math.min(cost.turnMs, stop()),
      ms: Math.min(cost.ms, (msOfThread() - began) / TRIES),
      mib: Math.min(cost.mib, (existsSync(status) ? memory('VmHWM') : 0) - before),
    };
  }
  return cost;
}

/** Tells the longest turn of the event loop, once it is stopped. */
function watchTurns(): () => number {
  let [began, longest, isOver] = [msOfThread(), 0, false];
  const turn = (): void => {
    const now = msOfThread();
    longest = Math.max(longest, now - began);
    began = now;
    if (!isOver) {
      // Not at once: what is watched would never wait, and this would be most of its cost.
      setTimeout(turn, 1);
    }
  };
  turn();
  return () => {
    isOver = true;
    return longest;
  };
}

/** Work that tells how fast this machine is, and how busy. */
function reference(): number {
  let least = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const began = msOfThread();
    JSON.parse(JSON.stringify(envelopes.slice(0, 800)));
    least = Math.min(least, msOfThread() - began);
  }
  return least;
}

describe('the dearest legal request', () => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic();
  });
  afterAll(async () => {
    await clinic.service.close();
  });

  it('is known of every route', () => {
    const routes = [...OPERATION_NAMES, ...Object.keys(PUBLIC_ROUTES)];
    expect(Object.keys(DEAREST).toSorted()).toEqual(routes.toSorted());
  });

  it.each(Object.entries(DEAREST))(
    `of %s costs at most ${MOST_MS} ms of the thread and ${MOST_MIB} MiB`,
    async (name, dearest) => {
      const inTurns = IN_TURNS.includes(name as RouteName);
      for (const [at, ask] of dearest.entries()) {
        const { status, ms, turnMs, mib } = await costOf((number) => ask(clinic, number));
        const facts = `${name} ${at}: ${status}, ${ms} ms, ${turnMs} ms in a turn, ${mib} MiB`;
        const took = inTurns ? turnMs : ms;
        const isCheap = took <= MOST_MS || took <= (MOST_MS * reference()) / REFERENCE_MS;
        // A request that is refused for its form is none of the dearest.
        expect([facts, [200, 201, 202, 204, 401, 403, 404].includes(status)]).toEqual([
          facts,
          true,
        ]);
        expect([facts, isCheap, mib <= MOST_MIB]).toEqual([facts, true, true]);
      }
    },
  );
});
