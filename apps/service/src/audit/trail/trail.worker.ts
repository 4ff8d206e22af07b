import { answerCalls, openReaders, type LogPlace } from '@caregate/audit-log';
import { workerData } from 'node:worker_threads';
import { members } from '../audit-record.ts';
import { TrailReader } from './trail-reader.ts';

const { dataDir, postgres } = workerData as LogPlace;

answerCalls(async () => {
  // Open only this log: a database also has the logs of other data folders.
  const [reader] = await openReaders(postgres === undefined ? { dataDir } : { postgres }, members);
  if (reader === undefined) {
    throw new Error('The database has no audit log');
  }
  return new TrailReader(reader);
});
