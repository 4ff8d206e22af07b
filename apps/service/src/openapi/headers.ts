import texts from './document.json' with { type: 'json' };

export interface Json {
  readonly [name: string]: unknown;
}

export const HEADERS = texts.headers;

export type HeaderName = keyof typeof HEADERS;

export function openHeaders(...more: readonly HeaderName[]): Record<string, Json> {
  const names: readonly HeaderName[] = ['x-request-id', 'cache-control', ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function recordedHeaders(...more: readonly HeaderName[]): Json {
  return openHeaders('x-audit-record-id', ...more);
}

export const OF_ALL = [400, 401, 403, 405, 429, 431, 500, 503];

const OF_STATUS: Readonly<Record<number, HeaderName>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};
/** Statuses of responses before authentication. */
const NEVER_RECORDED: readonly number[] = [401, 405, 408, 413, 414, 415, 429, 431];

export function problemHeaders(status: number): Json {
  const own = OF_STATUS[status];
  const more = own === undefined ? [] : [own];
  return NEVER_RECORDED.includes(status) ? openHeaders(...more) : recordedHeaders(...more);
}
