import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { nodeDisk } from '../disk/node-disk.ts';
import { AuditBrokenError } from '../errors.ts';
import { LogReader } from '../folder/log-reader.ts';
import { LogIndex } from './log-index.ts';
import type { IndexerData, IndexerReply, IndexerRequest } from './indexer.ts';

// In a thread, since indexing a day of records takes longer than a request may wait.

const port = parentPort as MessagePort;
const { dataDir, members } = workerData as IndexerData;
const log = new LogReader(nodeDisk, dataDir);
let index: LogIndex | undefined;
let answered = Promise.resolve();

async function opened(): Promise<LogIndex> {
  if (index?.wasChanged() === true) {
    index.close();
    index = undefined;
  }
  if (index === undefined) {
    const made = LogIndex.of(dataDir, log, members);
    try {
      await made.verify();
    } catch (error) {
      made.close();
      throw error;
    }
    index = made;
  }
  return index;
}

async function answer(request: 'catch up' | number): Promise<IndexerReply> {
  try {
    const made = await opened();
    if (request === 'catch up') {
      await made.catchUp();
      return { size: made.size, of: made.size };
    }
    const of = await made.step(request);
    return { size: made.size, of };
  } catch (error) {
    return {
      error: error instanceof Error ? error.message : 'unknown',
      ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
    };
  }
}

port.on('message', (request: IndexerRequest) => {
  // One after another: replies are matched by their order.
  answered = answered
    .then(() => answer(request))
    .then((reply) => {
      port.postMessage(reply);
    });
});
