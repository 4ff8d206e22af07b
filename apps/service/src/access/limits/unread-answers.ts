import type { FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

/** Smaller answers are left out: the budget is spent before they fill the memory. */
const SMALL = 4096;
/** In memory, of an answer that is streamed. */
const STREAM_BYTES = 2 ** 20;

/** Charges what a slow reader leaves in memory to its account, until it is read or the reader has gone. */
export class UnreadAnswers {
  readonly #bytes = new WeakMap<FastifyRequest, number>();
  readonly #ofSocket = new WeakMap<Socket, Set<FastifyRequest>>();

  sending(request: FastifyRequest, answer: unknown): void {
    const { socket } = request.raw;
    const bytes = answer instanceof Readable ? STREAM_BYTES : bytesOf(answer);
    if (bytes < SMALL || socket.destroyed || this.#bytes.has(request)) {
      return;
    }
    this.#bytes.set(request, bytes);
    request.account?.unread(bytes);
    let waiting = this.#ofSocket.get(socket);
    if (waiting === undefined) {
      waiting = new Set();
      this.#ofSocket.set(socket, waiting);
      // Node ends only the first of the answers that wait for each other on a connection.
      socket.once('close', () => waiting?.forEach(this.read));
    }
    waiting.add(request);
  }

  readonly read = (request: FastifyRequest): void => {
    const bytes = this.#bytes.get(request);
    if (bytes !== undefined) {
      this.#bytes.delete(request);
      this.#ofSocket.get(request.raw.socket)?.delete(request);
      request.account?.unread(-bytes);
    }
  };
}

/** Of an answer that is not streamed. */
export function bytesOf(answer: unknown): number {
  return typeof answer === 'string' || Buffer.isBuffer(answer) ? answer.length : 0;
}
