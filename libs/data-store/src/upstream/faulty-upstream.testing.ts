import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Secret, type Upstreams } from './upstream-settings.ts';

/** Returns the settings of an upstream for one team. */
export function createUpstreams(teamId: string, baseUrl: string, apiKey: string): Upstreams {
  return new Map([[teamId, { baseUrl, apiKey: new Secret(apiKey), headerName: undefined }]]);
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** An upstream server whose responses a test sets. */
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

  /** @param port a free port by default */
  static async start(port = 0): Promise<FaultyUpstream> {
    const upstream = new FaultyUpstream();
    upstream.#server.on('connection', (socket) => {
      upstream.#sockets.add(socket);
      socket.on('close', () => upstream.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => upstream.#server.listen(port, '127.0.0.1', resolve));
    return upstream;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Responds to every request with this text from now on. */
  setAnswer(status: number, body: string, headers: Record<string, string> = {}): void {
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

/** A text in every response of the upstream, which must not appear in anything that the service sends or logs. */
export const CANARY = 'canary-7f3a';
export const KEY = 'key-of-the-upstream-9c1d';
export const USER_ID = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0001';
export const ORDER_ID = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0002';
const FOREIGN_TEAM = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a0003';

export const user = (clientUserId: string, userId = USER_ID, team = FOREIGN_TEAM): object => ({
  user_id: userId,
  team_id: team,
  client_user_id: clientUserId,
  created_on: '2025-01-01T00:00:00+00:00',
  connected_sources: [],
  fallback_time_zone: {
    id: 'Europe/Berlin',
    source_slug: 'oura',
    updated_at: '2025-01-01T00:00:00Z',
  },
});
export const insurance = {
  payor_code: 'P',
  member_id: 'M',
  relationship: 'Self',
  insured: { first_name: 'A', last_name: 'B' },
};
export const result = { metadata: { age: 41 }, results: [] };
export const minutes = { groups: {}, next: null, next_cursor: null };
export const list = (over: object = {}): object => ({
  users: [],
  total: 0,
  offset: 0,
  limit: 100,
  ...over,
});

export const RESOLVE = '/v2/user/resolve/patient-1';
export const LIST = '/v2/user/';
export const INSURANCE = `/v2/user/${USER_ID}/insurance/latest`;
export const RESULT = `/v3/order/${ORDER_ID}/result`;
export const MINUTES = `/v2/timeseries/${USER_ID}/mindfulness_minutes/grouped?start_date=2025-01-01`;
export const PATHS = [RESOLVE, LIST, INSURANCE, RESULT, MINUTES];
