import { createServer, get } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Asked by the server itself; neither counted nor answered by a test. */
const LAST = '/last-of-the-test-before';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on a free port, whose answers a test sets; keeps the request targets as they came. */
export class TestServer {
  readonly targets: string[] = [];
  /** Requests, since `forget`, whose connection ended before their answer did. */
  dropped = 0;
  #test = 0;
  answer: Handler = (_, response) => {
    response.writeHead(500).end();
  };
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<TestServer> {
    const server = createServer();
    const test = new TestServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === LAST) {
        response.end();
        return;
      }
      const asked = test.#test;
      test.targets.push(request.url ?? '');
      response.on('close', () => {
        // A connection that the test before let go of may end only now.
        if (!response.writableFinished && asked === test.#test) test.dropped += 1;
      });
      test.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return test;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * For the next test: nothing was asked and nothing dropped yet. A call that gave up may have sent a request that is
   * still on its way here, and would be counted for the next test; a request of our own, sent after it, arrives later.
   */
  async forget(): Promise<void> {
    await new Promise((resolve, reject) => {
      const last = get(`${this.url}${LAST}`, { agent: false }, (response) => {
        response.resume().on('end', resolve);
      });
      last.on('error', reject);
    });
    this.#test += 1;
    this.targets.length = 0;
    this.dropped = 0;
  }

  /** Answers every request from now on with this. */
  json(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.answer = (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  }

  text(body: string | Uint8Array, status: number, headers: Record<string, string>): void {
    this.answer = (_, response) => {
      response.writeHead(status, headers).end(body);
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Waits until it `holds`, for as long as the test may run. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
