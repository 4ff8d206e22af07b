import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Target } from './measure.ts';

/** One kept connection that carries one request at a time, with nothing between the clock and the socket. */
export class OneConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #received = '';
  #done: ((answer: { status: number; endedNs: bigint }) => void) | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (part: string) => {
      this.#received += part;
      this.#answered();
    });
  }

  static async open(baseUrl: string): Promise<OneConnection> {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new OneConnection(socket, host);
  }

  request(path: string, headers: Target['headers'] = {}): Buffer {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join('')}\r\n`);
  }

  /** Microseconds until the last byte of the answer. @throws Error if it is not 200 */
  async send(request: Buffer): Promise<number> {
    const answer = new Promise<{ status: number; endedNs: bigint }>((resolve, reject) => {
      const closed = (): void => {
        reject(new Error('the service closed the connection'));
      };
      if (this.#socket.destroyed) closed();
      this.#done = resolve;
      this.#socket.once('close', closed);
    });
    const began = process.hrtime.bigint();
    this.#socket.write(request);
    const { status, endedNs } = await answer;
    this.#socket.removeAllListeners('close');
    if (status !== 200) throw new Error(`the service answered ${status} during a bench`);
    return Number(endedNs - began) / 1000;
  }

  close(): void {
    this.#socket.destroy();
  }

  #answered(): void {
    const head = this.#received.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: (\d+)\r\n/iu.exec(this.#received)?.[1];
    if (head < 0) return;
    if (length === undefined) {
      this.#socket.destroy(new Error('an answer without its length'));
      return;
    }
    if (this.#received.length >= head + 4 + Number(length)) {
      const endedNs = process.hrtime.bigint();
      const status = Number(this.#received.slice(9, 12));
      this.#received = '';
      this.#done?.({ status, endedNs });
    }
  }
}

/** Requests a second over so many connections, shared out over the URLs, each busy while there is `more`. */
export async function keepBusy(
  urls: readonly string[],
  connections: number,
  requestOf: (connection: OneConnection) => Buffer,
  more: () => boolean,
): Promise<number> {
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) =>
      OneConnection.open(urls[at % urls.length] ?? ''),
    ),
  );
  const began = performance.now();
  let count = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (more()) {
        await connection.send(requestOf(connection));
        count += 1;
      }
      connection.close();
    }),
  );
  return (count * 1000) / (performance.now() - began);
}
