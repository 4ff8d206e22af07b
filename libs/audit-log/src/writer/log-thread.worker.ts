import type { KeyObject } from 'node:crypto';
import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from 'node:worker_threads';
import { openLocked, type LockedLog, type LockedLogOptions } from '../folder/locked-log.ts';
import { failureOf } from './log-backend.ts';
import type { ThreadReply, ThreadRequest } from './open-audit-log.ts';

// In a thread: a sync must not block the event loop. After any error it closes the log and exits; a new one checks the end.

type AppendRequest = Extract<ThreadRequest, { kind: 'append' }>;

/** A larger group would delay its first record. */
const mostRecords = 4096;

const port = parentPort as MessagePort;
let opened: LockedLog | undefined;
let put: ThreadRequest | undefined;

function reply(message: ThreadReply): void {
  port.postMessage(message);
}

function answer(log: LockedLog['log'], request: ThreadRequest): void {
  switch (request.kind) {
    case 'append':
      append(log, request);
      break;
    case 'checkpoint':
      reply({ kind: 'signed', note: log.checkpoint() });
      break;
    case 'rotate':
      rotate(log, request.actorId);
      break;
    case 'close':
      end({ kind: 'closed' });
      break;
  }
}

function rotate(log: LockedLog['log'], actorId: string): void {
  let next: KeyObject;
  try {
    next = log.nextKey();
  } catch (error) {
    reply({ kind: 'kept', message: error instanceof Error ? error.message : 'unknown' });
    return;
  }
  const note = log.rotateKey(next, actorId);
  reply({ kind: 'rotated', note, verifierKey: log.verifierKey, size: log.size });
}

/** Takes what arrived during the last sync into one group. */
function append(log: LockedLog['log'], { part }: AppendRequest): void {
  const parts = [part];
  let records = part.count;
  while (records < mostRecords) {
    const next = receive();
    if (next?.kind !== 'append') {
      put = next;
      break;
    }
    parts.push(next.part);
    records += next.part.count;
  }
  const began = performance.now();
  const groups = log.groups;
  const firstSeq = log.appendLaidOut(parts);
  const syncMs = performance.now() - began;
  reply({
    kind: 'appended',
    firstSeq,
    requests: parts.length,
    groups: log.groups - groups,
    syncMs,
  });
  while (put === undefined && log.rest()) {
    put = receive();
  }
}

function receive(): ThreadRequest | undefined {
  return receiveMessageOnPort(port)?.message as ThreadRequest | undefined;
}

function end(last: ThreadReply): void {
  try {
    opened?.close();
  } catch {
    // The next thread reports the problem.
  }
  reply(last);
  port.close();
}

try {
  opened = openLocked(workerData as LockedLogOptions);
  const { log } = opened;
  port.on('message', (request: ThreadRequest) => {
    try {
      answer(log, request);
      while (put !== undefined) {
        const next = put;
        put = undefined;
        answer(log, next);
      }
    } catch (error) {
      end(failureOf(error));
    }
  });
  const { verifierKey, size, identity } = log;
  reply({ kind: 'opened', logId: identity.logId, verifierKey, size });
} catch (error) {
  end(failureOf(error));
}
