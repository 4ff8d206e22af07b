import type { Json } from './json.ts';

/** Headers that answers carry, as `components.headers`. Those that every browser gets as well are told in the introduction. */
export const HEADERS = {
  'x-request-id': {
    required: true,
    description: "Names this answer; the same id stands in the service's log.",
    schema: { type: 'string', format: 'uuid' },
  },
  'cache-control': {
    required: true,
    description: 'Nothing may be kept.',
    schema: { type: 'string', const: 'no-store' },
  },
  'x-audit-record-id': {
    description:
      'Names the record of this answer in the audit log; sent wherever the key was good and the answer could be recorded. To be kept and compared, not taken apart.',
    schema: { type: 'string' },
  },
  'x-break-glass-id': {
    description:
      'Names the emergency access under which this answer was given; not sent otherwise.',
    schema: { type: 'string' },
  },
  'www-authenticate': {
    required: true,
    description: 'Names the header that the key belongs in.',
    schema: { type: 'string' },
  },
  allow: {
    required: true,
    description: 'The methods that the path has.',
    schema: { type: 'string' },
  },
  'retry-after': {
    required: true,
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof HEADERS;

/** The headers of a response that is told to anyone. */
export function openHeaders(...more: readonly HeaderName[]): Json {
  const names: readonly HeaderName[] = ['x-request-id', 'cache-control', ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of a response to whoever has a key. */
export function recordedHeaders(...more: readonly HeaderName[]): Json {
  return openHeaders('x-audit-record-id', ...more);
}

/** What a status has besides, always. */
const OF_STATUS: Readonly<Record<number, HeaderName>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};
/** Answered before anybody looks at the key, or to nobody. */
const NEVER_RECORDED: readonly number[] = [401, 405, 408, 413, 414, 415, 429, 431];

/** The headers of a problem document with this status. */
export function problemHeaders(status: number): Json {
  const own = OF_STATUS[status];
  const more = own === undefined ? [] : [own];
  return NEVER_RECORDED.includes(status) ? openHeaders(...more) : recordedHeaders(...more);
}
