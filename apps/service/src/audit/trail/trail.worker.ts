import { openReaders, type LogPlace } from '@caregate/audit-log';
import { parentPort, workerData } from 'node:worker_threads';
import { members } from '../audit-record.ts';
import { packError, type TrailReply, type TrailRequest } from './trail-messages.ts';
import { TrailReader } from './trail-reader.ts';

const { dataDir, postgres } = workerData as LogPlace;

// Open only this log: a database also has the logs of other data folders.
const [reader] = await openReaders(postgres === undefined ? { dataDir } : { postgres }, members);
if (reader === undefined) {
  throw new Error('The database has no audit log');
}
const trail = new TrailReader(reader);

async function answer({ id, method, own, values }: TrailRequest): Promise<void> {
  let reply: TrailReply;
  try {
    const read = trail[method].bind(trail) as (...all: readonly unknown[]) => Promise<unknown>;
    reply = { id, result: await read(own, values) };
  } catch (error) {
    reply = { id, failure: packError(error) };
  }
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (request: TrailRequest) => void answer(request));
