import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Secret } from './secret.ts';
import type { Upstreams } from './upstreams-file.ts';

/** For specs: one team's upstream. */
export function upstreamOf(teamId: string, baseUrl: string, apiKey: string): Upstreams {
  return new Map([[teamId, { baseUrl, apiKey: new Secret(apiKey), headerName: undefined }]]);
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** For specs: an upstream whose answers are the test's own. */
export class FaultyUpstream {
  readonly requests: IncomingMessage[] = [];
  answer: Answering = (_request, response) => {
    response.writeHead(500).end();
  };
  readonly #server = createServer((request, response) => {
    this.requests.push(request);
    this.answer(request, response);
  });
  readonly #sockets = new Set<Socket>();

  static async start(): Promise<FaultyUpstream> {
    const upstream = new FaultyUpstream();
    upstream.#server.on('connection', (socket) => {
      upstream.#sockets.add(socket);
      socket.on('close', () => upstream.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers everything with this text from now on. */
  says(status: number, body: string, headers: Record<string, string> = {}): void {
    this.answer = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    };
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
