import { createPublicKey } from 'node:crypto';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { groupLength, hashEntries, parseGroup } from '../folder/group.ts';
import { isSealValid } from '../note/seal.ts';
import type { CheckedBytes, SentKey } from './groups-ahead.ts';

// Hashes leaves and checks seals of whole groups; `FolderWalk` reports what is not whole.

const port = parentPort as MessagePort;
const { origin, spki } = workerData as SentKey;
const key = createPublicKey({ key: Buffer.from(spki), type: 'spki', format: 'der' });

port.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  port.postMessage(check(bytes), [bytes.buffer]);
});

function check(sentBytes: Uint8Array<ArrayBuffer>): CheckedBytes {
  const bytes = Buffer.from(sentBytes.buffer, 0, sentBytes.length);
  const wrong: number[] = [];
  let leaves = '';
  for (let at = 0; at < bytes.length;) {
    const part = bytes.subarray(at, at + (groupLength(bytes.subarray(at)) ?? 0));
    const group = parseGroup(part);
    if (group === undefined) {
      break;
    }
    if (!isSealValid(origin, group.seal, key)) {
      wrong.push(group.first);
    }
    leaves += hashEntries(part).join('');
    at += part.length;
  }
  return { bytes: sentBytes, leaves, wrong };
}
