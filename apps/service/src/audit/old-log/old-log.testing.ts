import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadOrMakeKey } from '@caregate/audit-log';
import { auditEntry } from '@caregate/audit-log/testing';
import { AppendLog } from './append-log.testing.ts';
import { schemaStatements } from './audit-schema.ts';

const march = Date.UTC(2026, 2, 30) * 1000;
const day = 86_400_000_000;

interface OldLogOptions {
  /** Records that a cut erased. */
  readonly erased?: number;
  /** Records that its last checkpoint covers. */
  readonly proved?: number;
  readonly records?: number;
  /** The record of the cut. */
  readonly cutAt?: number;
  /** 2: of a log in files, whose records somebody put into such tables. */
  readonly bodyVersion?: 1 | 2;
}

/** A log of an earlier version: records of several months, the last ones after its last checkpoint. */
export function oldLog(
  folder: string,
  {
    erased = 0,
    proved = 600,
    records = 640,
    cutAt = proved - 1,
    bodyVersion = 1,
  }: OldLogOptions = {},
): AppendLog {
  const key = loadOrMakeKey(folder);
  const db = new DatabaseSync(join(folder, 'audit.db'));
  schemaStatements().forEach((statement) => {
    db.exec(statement);
  });
  const place = { host: 'clinic.example', serverId: 'one' };
  const options = { ...place, checkpointEveryRecords: 10_000, bodyVersion };
  const log = new AppendLog(db, key, options);
  const append = (count: number): void => {
    if (count === 0) {
      return;
    }
    const first = log.size;
    log.append(
      Array.from({ length: count }, (_, at) => ({
        entry: auditEntry(
          first + at === cutAt
            ? { operation: 'retentionCut', details: { before_seq: erased } }
            : {},
        ),
        recordedAtUs: march + Math.floor((first + at) / 100) * day,
      })),
    );
  };
  append(proved);
  if (proved > 0) {
    log.checkpoint();
  }
  append(records - proved);
  db.exec(`insert into audit_cut values (1);
    update audit_event set salt = null, body = null where seq < ${erased};
    delete from audit_patient where seq < ${erased};
    delete from audit_cut`);
  db.close();
  return log;
}
