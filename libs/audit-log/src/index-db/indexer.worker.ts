import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { nodeDisk } from '../disk/node-disk.ts';
import { logPaths } from '../folder/layout.ts';
import { LogReader } from '../folder/log-reader.ts';
import { LogIndex } from './log-index.ts';
import type { IndexerReply } from './indexer.ts';

// Beside the service, since reading a day's records takes longer than a request may wait.

const port = parentPort as MessagePort;
const dataDir = workerData as string;
const log = new LogReader(nodeDisk, dataDir);
let index: LogIndex | undefined;

async function catchUp(): Promise<IndexerReply> {
  try {
    index ??= new LogIndex(logPaths(dataDir).index, log);
    await index.catchUp();
    return { size: index.size };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown' };
  }
}

port.on('message', (asked: 'catch up' | 'close') => {
  if (asked === 'close') {
    index?.close();
    log.close();
    port.close();
    return;
  }
  void catchUp().then((reply) => {
    port.postMessage(reply);
  });
});
