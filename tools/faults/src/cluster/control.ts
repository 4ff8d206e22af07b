import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './cluster.ts';
import { cutFromNodes } from './faults.ts';
import { startLoad } from './load.ts';
import { compareRecords, storeCheckpoints, verifyLogs, type Parts } from './records.ts';

export interface Control {
  readonly acknowledged: number;
  readonly lost: number;
  /** Answers of instances that want a standby, while there is none. */
  readonly replicated: number;
  /** Exit code of the verification against checkpoints stored before the failover. */
  readonly verification: number;
}

/** The same cut without synchronous replication: it must lose, or the rounds could not have failed. */
export async function runControl(parts: Parts): Promise<Control> {
  const { cluster, instances, questions, rate } = parts;
  const urls = instances.map(({ baseUrl }) => baseUrl);
  await cluster.makeAsynchronous();
  const refused = startLoad(urls, questions, rate);
  await sleep(5000);
  await refused.stop();
  for (const instance of instances) {
    instance.killNow();
    await instance.start('one-machine');
  }
  const load = startLoad(urls, questions, rate);
  await sleep(3000);
  const before = await cluster.primary();
  const mend = await cutFromNodes(cluster).inflict(0);
  const answered = load.acknowledged.length;
  await until('answers after the cut', () => Promise.resolve(load.acknowledged.length > answered));
  // The old primary still answers, for some seconds: a witness takes its word.
  const stored = await storeCheckpoints(parts);
  await sleep(20_000);
  await load.stop();
  await mend();
  await cluster.settled();
  const after = await cluster.primary();
  process.stdout.write(`control: ${before === after ? 'no failover' : 'failed over'}\n`);
  const { lost } = await compareRecords(cluster, load.acknowledged);
  const { status } = await verifyLogs(stored, parts);
  const replicated = refused.acknowledged.length;
  return { acknowledged: load.acknowledged.length, lost, replicated, verification: status };
}
