import { join } from 'node:path';
import { auditKeyFile, signingKeyFile } from '../note/audit-key.ts';

export interface LogPaths {
  readonly data: string;
  /** May be outside the data folder, unlike `ownKey`. */
  readonly key: string;
  readonly ownKey: string;
  /** The next key, beside `key`, during `rotate-key`; outside the data folder the operator puts it there. */
  readonly nextKey: string;
  readonly audit: string;
  readonly log: string;
  /** Exists while a log is created, until its key is durable. */
  readonly unfinished: string;
  readonly checkpoint: string;
  readonly records: string;
  readonly nodes: string;
  readonly held: string;
  readonly index: string;
  readonly lock: string;
  readonly socket: string;
}

export function logPaths(dataDir: string): LogPaths {
  const audit = join(dataDir, 'audit');
  const key = signingKeyFile(dataDir);
  return {
    data: dataDir,
    key,
    nextKey: `${key}.next`,
    ownKey: join(dataDir, auditKeyFile),
    audit,
    log: join(audit, 'log'),
    unfinished: join(audit, 'unfinished'),
    checkpoint: join(audit, 'checkpoint'),
    records: join(audit, 'records'),
    nodes: join(audit, 'nodes'),
    held: join(audit, 'held'),
    index: join(audit, 'index.db'),
    lock: join(audit, 'lock.db'),
    socket: join(audit, 'socket'),
  };
}
