import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './cluster.ts';
import type { Fault } from './faults.ts';
import { startLoad, timeWithout, type Load } from './load.ts';
import { turn } from './questions.ts';
import {
  compareRecords,
  storeCheckpoints,
  verifyLogs,
  type Parts,
  type StoredCheckpoints,
} from './records.ts';

export interface Row {
  readonly name: string;
  readonly goalSeconds: number;
  /** Without a right answer, of each round. */
  readonly seconds: number[];
  pastGoal: number;
  acknowledged: number;
  lost: number;
  wrong: number;
  givenUp: number;
}

export interface Totals {
  acknowledged: number;
  lost: number;
  unrecorded: number;
  wrong: number;
  logs: number;
  broken: number;
}

/** Each fault in turn, `rounds` times, under load all the while; every log is verified after each round and at the end. */
export async function runRounds(
  parts: Parts,
  faults: readonly Fault[],
  rounds: number,
): Promise<{ rows: readonly Row[]; totals: Totals }> {
  const { cluster, instances, questions, rate } = parts;
  const fresh = { pastGoal: 0, acknowledged: 0, lost: 0, wrong: 0, givenUp: 0 };
  const rows: Row[] = faults.map(({ name, goalSeconds }) => ({
    name,
    goalSeconds,
    seconds: [],
    ...fresh,
  }));
  const load = startLoad(
    instances.map(({ baseUrl }) => baseUrl),
    questions,
    rate,
  );
  let stored: StoredCheckpoints | undefined;
  let broken = 0;
  try {
    await answersAgain(load, performance.now());
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, fault] of faults.entries()) {
        await allWell(parts);
        await oneFault(parts, { fault, round, load, row: turn(rows, at) });
      }
      if (stored !== undefined) {
        broken += await isBroken(stored, parts);
      }
      stored = await storeCheckpoints(parts);
    }
    await allWell(parts);
  } finally {
    await load.stop();
    tell(load);
  }
  // All at once and at the end: what a later fault took is missed too.
  const end = await compareRecords(cluster, load.acknowledged);
  if (stored !== undefined) {
    broken += await isBroken(stored, parts);
  }
  const [[logs] = []] = await cluster.query('select count(*) from audit.audit_log');
  return {
    rows,
    totals: {
      acknowledged: load.acknowledged.length,
      ...end,
      wrong: load.wrong.length,
      logs: Number(logs),
      broken,
    },
  };
}

function tell({ wrong, failedTries, acknowledged }: Load): void {
  wrong.slice(0, 10).forEach((one) => process.stdout.write(`wrong: ${one}\n`));
  const failed = JSON.stringify(Object.fromEntries(failedTries));
  process.stdout.write(`answers: ${acknowledged.length}; tries that failed: ${failed}\n`);
}

async function oneFault(
  { cluster }: Parts,
  { fault, round, load, row }: { fault: Fault; round: number; load: Load; row: Row },
): Promise<void> {
  const before = {
    acknowledged: load.acknowledged.length,
    wrong: load.wrong.length,
    givenUp: load.givenUp,
  };
  const from = performance.now();
  const mend = await fault.inflict(round);
  await answersAgain(load, from);
  await mend();
  await cluster.settled();
  await answersAgain(load, performance.now());
  const seconds = timeWithout(load.successes, from, performance.now()) / 1000;
  row.seconds.push(seconds);
  row.pastGoal += seconds > fault.goalSeconds ? 1 : 0;
  row.wrong += load.wrong.length - before.wrong;
  row.givenUp += load.givenUp - before.givenUp;
  const { lost } = await compareRecords(cluster, load.acknowledged.slice(before.acknowledged));
  row.acknowledged += load.acknowledged.length - before.acknowledged;
  row.lost += lost;
  process.stdout.write(
    `round ${round + 1}: ${fault.name}: ${seconds.toFixed(1)} s, ${lost} lost\n`,
  );
}

async function answersAgain(load: Load, since: number): Promise<void> {
  const steadyMs = 2000;
  await sleep(steadyMs);
  await until('right answers again', () => {
    const now = performance.now();
    const from = Math.max(since, now - steadyMs);
    const isSteady = now - since >= steadyMs && timeWithout(load.successes, from, now) === 0;
    return Promise.resolve(isSteady);
  });
}

/** Before each fault all is whole, each instance included: faults come one at a time. */
async function allWell({ cluster, instances }: Parts): Promise<void> {
  await cluster.settled();
  await until('each instance is ready', async () => {
    const answers = await Promise.all(
      instances.map(({ baseUrl }) =>
        fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2000) }),
      ),
    );
    return answers.every(({ ok }) => ok);
  });
}

async function isBroken(stored: StoredCheckpoints, parts: Parts): Promise<number> {
  const { status, stdout, stderr } = await verifyLogs(stored, parts);
  if (status !== 0) {
    process.stdout.write(`verification: ${status}\n${stdout}${stderr}`);
  }
  return status === 0 ? 0 : 1;
}
