import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { caregate, caregateOrThrow, type CommandResult, type Instance } from './instances.ts';
import type { Acknowledged } from './load.ts';
import { turn, type Question } from './questions.ts';

export interface Parts {
  readonly cluster: Cluster;
  readonly instances: readonly Instance[];
  readonly questions: readonly Question[];
  readonly rate: number;
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Compared {
  /** A client has the answer, and its record is not in the log, or another one stands in its place. */
  readonly lost: number;
  /** Of them and of those that named no record, the answers with health data. */
  readonly unrecorded: number;
}

export async function compareRecords(
  cluster: Cluster,
  acknowledged: readonly Acknowledged[],
): Promise<Compared> {
  const rows = await cluster.query(
    `select request_id || ' ' || http_status from audit.audit_event,
       json_to_record(body::json) as r (request_id text, http_status int) where request_id is not null`,
  );
  // An answer's own id of its record is for those who have the key to it; its request id stands in the record.
  const stored = new Set(rows.map(([what]) => what));
  const isStored = ({ record, requestId, status }: Acknowledged): boolean =>
    record !== undefined && stored.has(`${requestId} ${status}`);
  const missing = acknowledged.filter((one) => !isStored(one));
  return {
    lost: missing.filter(({ record }) => record !== undefined).length,
    unrecorded: missing.filter(({ status }) => status === 200).length,
  };
}

export interface StoredCheckpoints {
  readonly keys: string;
  readonly checkpoints: string;
}

/** What a desktop does that is a witness: each instance signs its log as it is now. */
export async function storeCheckpoints(parts: Parts): Promise<StoredCheckpoints> {
  const { cluster, instances, questions, data, env } = parts;
  const { folder } = cluster.network;
  const headers = { 'x-service-api-key': turn(questions, 0).key };
  const notes = await Promise.all(
    instances.map(async ({ baseUrl }) => {
      const answer = await fetch(`${baseUrl}/audit/checkpoint`, { headers });
      const text = await answer.text();
      return answer.ok ? text : Promise.reject(new Error(`No checkpoint: ${text}`));
    }),
  );
  const stored = { keys: join(folder, 'kept-keys'), checkpoints: join(folder, 'kept-checkpoints') };
  writeFileSync(stored.checkpoints, notes.join('\n'));
  writeFileSync(stored.keys, await caregateOrThrow(['audit', 'public-key', '--data', data], env));
  return stored;
}

export function verifyLogs(
  { keys, checkpoints }: StoredCheckpoints,
  { data, env }: Parts,
): Promise<CommandResult> {
  const stored = ['--public-key', keys, '--from-checkpoint', checkpoints];
  return caregate(['audit', 'verify', '--data', data, ...stored], env);
}
