import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  serializeResponse,
  gzipBomb,
  headerOf,
  tooManyRequests,
  invertedBits,
  withHeader,
  type RawResponse,
} from './raw-response.ts';
import type { Fault } from './fault.ts';

/** The client connection. `reset` is separate, since with TLS the underlying connection must be reset. */
export interface Client {
  readonly socket: Socket;
  readonly reset: () => void;
}

/**
 * Sends the response with the fault to the client; resolves when it is written. Rejects with an `AbortError` when the
 * signal is aborted.
 *
 * @param ask forwards the request; not called for faults that do not need it
 */
export async function injectFault(
  fault: Fault,
  ask: () => Promise<RawResponse>,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const { socket } = client;
  switch (fault.kind) {
    case 'too-many':
      socket.write(serializeResponse(tooManyRequests(fault.retryAfterSeconds)));
      return;
    case 'none':
      socket.write(serializeResponse(await ask()));
      return;
    case 'latency': {
      const bytes = serializeResponse(await ask());
      await wait(fault.ms, undefined, { signal });
      socket.write(bytes);
      return;
    }
    case 'reset':
      await begin(fault.bytes, ask, socket);
      client.reset();
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
      for (const byte of serializeResponse(await ask())) {
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
          ? invertedBits(serializeResponse(answer))
          : serializeResponse({ ...answer, body: invertedBits(answer.body) });
      socket.write(turned);
      return;
    }
    case 'content-length': {
      const answer = await ask();
      const length = Number(headerOf(answer.head, 'content-length') ?? answer.body.length);
      const wrong = String(Math.max(length + fault.by, 0));
      socket.write(
        serializeResponse({ ...answer, head: withHeader(answer.head, 'content-length', wrong) }),
      );
      return;
    }
    case 'gzip-bomb':
      socket.write(serializeResponse(gzipBomb(await ask(), fault.bytes)));
      return;
    case 'doubled': {
      const bytes = serializeResponse(await ask());
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

/** Writes the first bytes of the response and waits until they are sent. */
async function begin(
  bytes: number,
  ask: () => Promise<RawResponse>,
  socket: Socket,
): Promise<void> {
  const first = serializeResponse(await ask()).subarray(0, bytes);
  if (first.length > 0 && !socket.destroyed) {
    await new Promise((resolve) => socket.write(first, resolve));
  }
}
