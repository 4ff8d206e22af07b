import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openReaders, type LogReader } from '@caregate/audit-log';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { members } from '../audit-record.ts';
import { openAuditLog, type AuditLog } from '../open-log.ts';
import { auditEntry, editLog, teamId } from '../records.testing.ts';
import { TrailReader, type OwnHead } from './trail-reader.ts';

let folder: string;
let log: AuditLog;
let reader: LogReader;
/** The head before the second record. */
let own: OwnHead;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-trail-'));
  log = await openAuditLog({ dataDir: folder });
  await log.record(auditEntry());
  const { logId, publicKey } = log;
  own = { logId, publicKey, checkpoint: await log.checkpoint() };
  await log.record(auditEntry({ operation: 'listUsers' }));
  [reader] = (await openReaders({ dataDir: folder }, members)) as [LogReader];
});
afterEach(async () => {
  await reader.close();
  await log.close();
  rmSync(folder, { recursive: true });
});

const request = { filter: { team: teamId }, limit: 10, mostPatients: 100 };

it('proves a record that is written while it reads', async () => {
  const { events } = await new TrailReader(reader).readPage(own, request);
  expect(events.map(({ record }) => record.operation)).toEqual(['listUsers', 'resolveUser']);
});

it('refuses a record at the end that nobody signed', async () => {
  editLog(
    folder,
    `insert into audit_record select seq + 1, salt, body, ${members.time}, ${members.texts.join()}, ${members.ids.one}, ${members.ids.many}
     from audit_record order by seq desc limit 1`,
  );
  await expect(new TrailReader(reader).readPage(own, request)).rejects.toThrow('is not signed');
});
