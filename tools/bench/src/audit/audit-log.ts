import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, type Row, type Section } from '../measure.ts';
import { startService, workFolder } from '../service.ts';

/** What is promised for the start is for 10,000,000 (15 GB, a quarter of an hour). */
const records = Number(process.env['AUDIT_LOG_RECORDS'] ?? 1_000_000);
/** A log that stays, and is filled only with what it lacks, so that the large one is filled once for several runs. */
const keptFolder = process.env['AUDIT_LOG_DATA'];
const batch = 10_000;
const starts = 5;

/** The little of the service that is used here: its build, and the record of its specs. */
interface Service {
  auditEntry(changes: object): object;
  openAuditLog(folder: string): Promise<{ readonly verifierKey: string; close(): Promise<void> }>;
  loadKey(file: string): unknown;
  openRawSqlite(file: string): DatabaseSync;
  parseVerifierKey(text: string): unknown;
  verifyLog(db: DatabaseSync, options: { key: unknown }): { readonly size: number };
  AuditReader: new (folder: string) => { readonly db: DatabaseSync; close(): void };
  AppendLog: new (
    db: DatabaseSync,
    key: unknown,
    options: object,
  ) => { readonly size: number; append(records: readonly object[]): number };
}

const folderOfService = '../../../../apps/service/';
const files = [
  'src/audit/audit.testing.ts',
  'dist/audit/audit-writer.js',
  'dist/audit/verify.js',
  'dist/audit/log/append-log.js',
  'dist/audit/log/audit-key.js',
  'dist/audit/log/audit-reader.js',
  'dist/audit/log/checkpoint.js',
  'dist/database/sqlite/open-sqlite.js',
];

export const auditLog: Section = {
  name: 'audit-log',
  title: `An audit log of ${records.toLocaleString('en')} records: verified from its first, and a service started on it`,
  async run() {
    const modules: object[] = [];
    for (const file of files) {
      modules.push(
        (await import(fileURLToPath(new URL(folderOfService + file, import.meta.url)))) as object,
      );
    }
    const service = Object.assign({}, ...modules) as Service;
    const [long, empty] = [workFolder(), workFolder()];
    const filled = keptFolder ?? long.path;
    const verifierKey = await fill(service, filled);
    const rows = [verification(service, filled, verifierKey)];
    rows.push(await start(filled, empty.path));
    long.remove();
    empty.remove();
    return rows;
  },
};

async function fill(service: Service, folder: string): Promise<string> {
  const made = await service.openAuditLog(folder);
  await made.close();
  const db = service.openRawSqlite(join(folder, 'audit.db'));
  // Nothing is promised to anybody while it is being filled.
  db.exec('pragma synchronous = OFF');
  const options = { host: 'bench', serverId: 'bench', checkpointEveryRecords: 1000 };
  const log = new service.AppendLog(db, service.loadKey(join(folder, 'audit-key.pem')), options);
  for (let done = log.size; done < records; done += batch) {
    log.append(
      Array.from({ length: Math.min(batch, records - done) }, (_, at) =>
        record(service, done + at),
      ),
    );
  }
  db.close();
  return made.verifierKey;
}

/** A clinician looked up a person, each time another one. */
function record(service: Service, n: number): object {
  const id = (kind: string): string =>
    `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return {
    recordedAtUs: 1_790_000_000_000_000 + n * 1000,
    entry: service.auditEntry({ requestId: id('a'), patients: [id('b')] }),
  };
}

function verification(service: Service, folder: string, verifierKey: string): Row {
  const reader = new service.AuditReader(folder);
  const began = performance.now();
  const { size } = service.verifyLog(reader.db, { key: service.parseVerifierKey(verifierKey) });
  const seconds = (performance.now() - began) / 1000;
  reader.close();
  if (size < records) {
    throw new Error(`${size} records were verified of ${records}`);
  }
  return {
    what: 'records verified a second',
    unit: '/s',
    measured: size / seconds,
    bound: 'at least 100,000',
    kept: size / seconds >= 100_000,
  };
}

async function start(long: string, empty: string): Promise<Row> {
  const times = { long: [] as number[], empty: [] as number[] };
  for (let round = -1; round < starts; round += 1) {
    for (const [kind, folder] of [
      ['long', long],
      ['empty', empty],
    ] as const) {
      const running = await startService(['serve', '--data', folder]);
      await running.stop();
      if (round >= 0) {
        times[kind].push(running.readyAfterMs);
      }
    }
  }
  const measured = median(times.long);
  const baseline = median(times.empty);
  return {
    what: 'caregate serve to ready (baseline: an empty log)',
    unit: 'ms',
    measured,
    baseline,
    ratio: measured / baseline,
    bound: 'at most 2,000 ms',
    kept: measured <= 2000,
  };
}
