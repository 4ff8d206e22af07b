import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  bytesOf,
  gzipBomb,
  headerOf,
  tooMany,
  turnedOver,
  withHeader,
  type Answer,
} from './answer.ts';
import type { Fault } from './fault.ts';

/** Whoever asked. `reset` is apart, since under TLS it is the connection beneath that is reset. */
export interface Asker {
  readonly socket: Socket;
  readonly reset: () => void;
}

/**
 * Gives the answer with its fault to whoever asked, and ends when all of it is written. Rejects with an `AbortError`
 * when the signal says so.
 *
 * @param ask asks the upstream; not called for a fault that leaves it out
 */
export async function play(
  fault: Fault,
  ask: () => Promise<Answer>,
  asker: Asker,
  signal: AbortSignal,
): Promise<void> {
  const { socket } = asker;
  switch (fault.kind) {
    case 'too-many':
      socket.write(bytesOf(tooMany(fault.retryAfterSeconds)));
      return;
    case 'none':
      socket.write(bytesOf(await ask()));
      return;
    case 'latency': {
      const bytes = bytesOf(await ask());
      await wait(fault.ms, undefined, { signal });
      socket.write(bytes);
      return;
    }
    case 'reset':
      await begin(fault.bytes, ask, socket);
      asker.reset();
      return;
    case 'half-closed':
      await begin(fault.bytes, ask, socket);
      socket.end();
      return;
    case 'truncated':
      await begin(fault.bytes, ask, socket);
      socket.destroySoon();
      return;
    case 'stalled':
      await begin(fault.bytes, ask, socket);
      return;
    case 'trickle':
      for (const byte of bytesOf(await ask())) {
        if (socket.destroyed) {
          return;
        }
        socket.write(Buffer.of(byte));
        await wait(fault.ms, undefined, { signal });
      }
      return;
    case 'garbage': {
      const answer = await ask();
      const turned =
        fault.part === 'all'
          ? turnedOver(bytesOf(answer))
          : bytesOf({ ...answer, body: turnedOver(answer.body) });
      socket.write(turned);
      return;
    }
    case 'content-length': {
      const answer = await ask();
      const length = Number(headerOf(answer.head, 'content-length') ?? answer.body.length);
      const wrong = String(Math.max(length + fault.by, 0));
      socket.write(bytesOf({ ...answer, head: withHeader(answer.head, 'content-length', wrong) }));
      return;
    }
    case 'gzip-bomb':
      socket.write(bytesOf(gzipBomb(await ask(), fault.bytes)));
      return;
    case 'doubled': {
      const bytes = bytesOf(await ask());
      if (fault.ms === 0) {
        socket.write(Buffer.concat([bytes, bytes]));
        return;
      }
      socket.write(bytes);
      await wait(fault.ms, undefined, { signal });
      socket.write(bytes);
      return;
    }
  }
}

/** Writes the beginning of the answer and waits until it has left. */
async function begin(bytes: number, ask: () => Promise<Answer>, socket: Socket): Promise<void> {
  const first = bytesOf(await ask()).subarray(0, bytes);
  if (first.length > 0 && !socket.destroyed) {
    await new Promise((resolve) => socket.write(first, resolve));
  }
}
