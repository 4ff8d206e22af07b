import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { caregate, caregateOrThrow, type Told } from './instances.ts';
import type { Acknowledged } from './load.ts';

export interface Compared {
  /** A client has the answer, and its record is not in the log, or another one stands in its place. */
  readonly lost: number;
  /** Of them and of those that named no record, the answers with health data. */
  readonly unrecorded: number;
}

/** Compares what clients have in hand with what the database has now. */
export async function compareRecords(
  cluster: Cluster,
  acknowledged: readonly Acknowledged[],
): Promise<Compared> {
  const rows = await cluster.query(
    `select log_id || '/' || seq, request_id || ' ' || http_status from audit.audit_event
     where request_id is not null`,
  );
  const stored = new Map(rows.map(([id, what]) => [id, what]));
  const isStored = ({ record, requestId, status }: Acknowledged): boolean =>
    record !== undefined && stored.get(record) === `${requestId} ${status}`;
  const missing = acknowledged.filter((one) => !isStored(one));
  return {
    lost: missing.filter(({ record }) => record !== undefined).length,
    unrecorded: missing.filter(({ status }) => status === 200).length,
  };
}

/** Each log's public key and its newest signed checkpoint, kept where the cluster's faults don't reach. */
export interface Kept {
  readonly keys: string;
  readonly checkpoints: string;
}

export async function keepCheckpoints(folder: string, data: string, env: Env): Promise<Kept> {
  const keys = join(folder, 'kept-keys');
  const checkpoints = join(folder, 'kept-checkpoints');
  writeFileSync(keys, await caregateOrThrow(['audit', 'public-key', '--data', data], env));
  writeFileSync(checkpoints, await caregateOrThrow(['audit', 'checkpoint', '--data', data], env));
  return { keys, checkpoints };
}

/** Every log of the database, against what was kept: 0 where all hold. */
export function verifyLogs({ keys, checkpoints }: Kept, data: string, env: Env): Promise<Told> {
  const kept = ['--public-key', keys, '--from-checkpoint', checkpoints];
  return caregate(['audit', 'verify', '--data', data, ...kept], env);
}

type Env = Readonly<Record<string, string>>;
