/**
 * The service on a data folder, with its audit log or with recording replaced by nothing. The second exists here alone:
 * the program itself has no recorder but the log, and no setting to leave it out.
 */
import { type AuditLog, AuditLogEvents, openAuditLog } from '@caregate/audit-log';
import { fileURLToPath } from 'node:url';

interface Closing {
  close(): Promise<void>;
}
interface Recorder extends Closing {
  record(entry: unknown): Promise<{ logId: string; seq: number }>;
}
/** The little of the built service that is used here. */
interface Service {
  readConfig(environment: Record<string, string | undefined>): object;
  createLogger(level: string, to: NodeJS.WritableStream): object;
  openStore(folder: string): Promise<object>;
  AccessStore: { open(folder: string): Promise<object> };
  FolderAuditTrail: new (folder: string, log: AuditLog) => object;
  createApp(
    parts: object,
  ): Promise<
    Closing & { listen(port: number, host: string): Promise<void>; getUrl(): Promise<string> }
  >;
}

const [, , folder = '', recording = ''] = process.argv;
const built = '../../../../apps/service/dist/';
const files = [
  'config/read-config.js',
  'observe/logger.js',
  'source/store/open-store.js',
  'access/access-store.js',
  'audit/trail/folder-audit-trail.js',
  'create-app.js',
];
const modules: object[] = [];
for (const file of files) {
  const path = fileURLToPath(new URL(`${built}${file}`, import.meta.url));
  modules.push((await import(path)) as object);
}
const service = Object.assign({}, ...modules) as Service;

const log = await openAuditLog(folder);
const nothing: Recorder = {
  record: () => Promise.resolve({ logId: 'none', seq: 0 }),
  close: () => log.close(),
};
const app = await service.createApp({
  config: service.readConfig({ ...process.env, CAREGATE_DATA: folder }),
  logger: service.createLogger('warn', process.stderr),
  source: await service.openStore(folder),
  access: await service.AccessStore.open(folder),
  audit: recording === 'unrecorded' ? nothing : log,
  auditTrail: new service.FolderAuditTrail(folder, log),
  auditEvents: new AuditLogEvents(),
  auditState: () => log.state(),
});
await app.listen(0, '127.0.0.1');
process.send?.(await app.getUrl());
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0));
});
