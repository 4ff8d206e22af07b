import type { ServerResponse } from 'node:http';

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    'x-request-id': 'request-1',
    ...headers,
  });
  response.end(JSON.stringify(body));
}
