import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const day = 86_400_000;
const pageSize = 10_000;
/** A session on each day of 273 years: the desktop draws days, so only so do 100,000 points stand in the picture. */
const points = 100_000;
const firstDay = Date.UTC(1750, 0, 1);

export interface Minutes {
  readonly baseUrl: string;
  readonly points: number;
  readonly clientUserId: string;
  /** YYYY-MM-DD of the first and the last session. */
  readonly range: readonly [first: string, last: string];
  stop(): Promise<void>;
}

/** A service with one person who sat down every day, page by page; it lets anyone sign in. */
export async function startMinutes(): Promise<Minutes> {
  const user = {
    user_id: '11111111-1111-4111-8111-111111111111',
    team_id: '22222222-2222-4222-8222-222222222222',
    client_user_id: 'EVERY-DAY',
    created_on: '2026-01-01T00:00:00Z',
    connected_sources: [],
    fallback_time_zone: {
      id: 'Europe/Berlin',
      source_slug: 'manual',
      updated_at: '2026-01-01T00:00:00Z',
    },
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service');
    // Only who asks from the beginning gets anything: what the screen shows first isn't measured.
    const isWhole = Date.parse(url.searchParams.get('start_date') ?? '') < firstDay;
    const at = Number(url.searchParams.get('next_cursor') ?? 0);
    const answer = url.pathname.includes('mindfulness')
      ? isWhole
        ? pageFrom(at)
        : { groups: {}, next_cursor: null }
      : url.pathname.startsWith('/v2/user/resolve/')
        ? user
        : /^\/v2\/user\/?$/u.test(url.pathname)
          ? { users: [], total: 0, offset: 0, limit: 1 }
          : undefined;
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': answer === undefined ? 'application/problem+json' : 'application/json',
      'x-request-id': 'bench',
    });
    const nothing = {
      type: 'about:blank',
      title: 'Not here',
      status: 404,
      detail: 'Only minutes.',
    };
    response.end(JSON.stringify(answer ?? nothing));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    points,
    clientUserId: user.client_user_id,
    range: [stamp(0).slice(0, 10), stamp(points - 1).slice(0, 10)],
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pageFrom(at: number): unknown {
  const data = Array.from({ length: pageSize }, (_, index) => ({
    start: stamp(at + index),
    end: stamp(at + index),
    unit: 'min',
    value: 5 + ((at + index) % 20),
  }));
  const next = at + pageSize;
  return {
    groups: { fitbit: [{ source: { provider: 'fitbit', type: 'watch' }, data }] },
    next_cursor: next < points ? String(next) : null,
  };
}

const stamp = (index: number): string =>
  `${new Date(firstDay + index * day + day / 2).toISOString().slice(0, 19)}+00:00`;
