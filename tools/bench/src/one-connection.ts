import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

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

  /** The bytes of a GET. */
  request(path: string, key: string): Buffer {
    return Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nx-service-api-key: ${key}\r\n\r\n`,
    );
  }

  /** Sends a request and gives its status and the microseconds until the last byte of the answer. */
  async send(request: Buffer): Promise<{ status: number; us: number }> {
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
    return { status, us: Number(endedNs - began) / 1000 };
  }

  close(): void {
    this.#socket.destroy();
  }

  #answered(): void {
    const head = this.#received.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: (\d+)\r\n/iu.exec(this.#received)?.[1];
    if (head < 0 || length === undefined) {
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
