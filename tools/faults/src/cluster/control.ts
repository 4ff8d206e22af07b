import { setTimeout as sleep } from 'node:timers/promises';
import { cutFromNodes } from './faults.ts';
import { startLoad } from './load.ts';
import { compareRecords, storeCheckpoints, verifyLogs } from './records.ts';
import type { Parts } from './parts.ts';

export interface Control {
  readonly acknowledged: number;
  readonly lost: number;
  /** Exit code of the verification against checkpoints stored before the failover. */
  readonly verification: number;
}

/** The same cut without synchronous replication: it must lose, or the rounds could not have failed. */
export async function runControl(parts: Parts): Promise<Control> {
  const { cluster, instances, questions, rate } = parts;
  await cluster.makeAsynchronous();
  const load = startLoad(
    instances.map(({ baseUrl }) => baseUrl),
    questions,
    rate,
  );
  await sleep(3000);
  const before = await cluster.primary();
  const mend = await cutFromNodes(cluster).inflict(0);
  await sleep(1000);
  // The old primary still answers: a witness takes its word.
  const stored = await storeCheckpoints(parts);
  await sleep(20_000);
  await load.stop();
  await mend();
  await cluster.settled();
  const after = await cluster.primary();
  process.stdout.write(`control: ${before === after ? 'no failover' : 'failed over'}\n`);
  const { lost } = await compareRecords(cluster, load.acknowledged);
  const { status } = await verifyLogs(stored, parts);
  return { acknowledged: load.acknowledged.length, lost, verification: status };
}
