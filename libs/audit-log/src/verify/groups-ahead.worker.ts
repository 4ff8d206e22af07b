import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { groupLength, hashEntries, parseGroup } from '../folder/group.ts';
import { LogKeys } from '../note/checkpoint.ts';
import { isSealValid } from '../note/seal.ts';
import type { CheckedBytes, SentKeys } from './groups-ahead.ts';

// Hashes leaves and checks seals of whole groups; `FolderWalk` reports what is not whole.

const port = parentPort as MessagePort;
const { identity, note } = workerData as SentKeys;
const keys = LogKeys.named(identity, note);

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
    if (!isSealValid(identity.origin, group.seal, keys.sealing(group.seal))) {
      wrong.push(group.first);
    }
    leaves += hashEntries(part).join('');
    at += part.length;
  }
  return { bytes: sentBytes, leaves, wrong };
}
