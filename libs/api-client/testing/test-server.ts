import { afterAll, beforeEach } from '@jest/globals';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Path of a request that the server sends to itself. It isn't counted or passed to the test. */
const LAST = '/last-of-the-test-before';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on a free port, whose responses a test sets. It records the request targets unchanged. */
export class TestServer {
  readonly targets: string[] = [];
  /** Number of requests since `forget` whose connection closed before the response was complete. */
  dropped = 0;
  #test = 0;
  answer: Handler = (_, response) => {
    response.writeHead(500).end();
  };
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts a server for the spec file. Each test begins with a reset server. */
  static async forSpec(): Promise<TestServer> {
    const server = await TestServer.start();
    beforeEach(() => server.forget());
    afterAll(() => server.stop());
    return server;
  }

  static async start(): Promise<TestServer> {
    const server = createServer();
    const test = new TestServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === LAST) {
        response.end();
        return;
      }
      const started = test.#test;
      test.targets.push(request.url ?? '');
      response.on('close', () => {
        // The connection may belong to the previous test.
        if (!response.writableFinished && started === test.#test) test.dropped += 1;
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
   * Resets the server for the next test. A cancelled call may have sent a request that is still arriving, so this
   * waits for a request of its own, which arrives after it.
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

  /** Sets the JSON response to all further requests. */
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

/** Waits until the condition is true, for as long as the test may run. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
