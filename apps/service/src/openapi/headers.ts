/** JSON of an OpenAPI 3.1 document, or of a part of one. */
export interface Json {
  readonly [name: string]: unknown;
}

/** Response headers, as `components.headers`. The security headers are described in the introduction. */
export const HEADERS = {
  'x-request-id': {
    required: true,
    description: 'Unique id of this request, also used in the log of the service.',
    schema: { type: 'string', format: 'uuid' },
  },
  'x-client-request-id': {
    description:
      'The `x-client-request-id` of the request, if it is a UUID: proof that this answers that request, and no earlier one of the connection.',
    schema: { type: 'string', format: 'uuid' },
  },
  'cache-control': {
    required: true,
    description: 'Responses must not be cached.',
    schema: { type: 'string', const: 'no-store' },
  },
  'x-audit-record-id': {
    description:
      'Id of the audit record of this response; sent if the API key was valid and the response was recorded. The id is opaque.',
    schema: { type: 'string' },
  },
  'x-break-glass-id': {
    description:
      'Id of the emergency access grant that permitted this response; sent only in that case.',
    schema: { type: 'string' },
  },
  'x-next-cursor': {
    description: 'Cursor of the next part; not sent with the last one.',
    schema: { type: 'string' },
  },
  'content-disposition': {
    required: true,
    description: 'Name of the file.',
    schema: { type: 'string' },
  },
  'content-language': {
    required: true,
    description: 'Language of the words.',
    schema: { type: 'string', enum: ['en', 'es', 'ar'] },
  },
  vary: {
    required: true,
    description: 'The request headers that the response depends on.',
    schema: { type: 'string', const: 'accept, accept-language' },
  },
  'www-authenticate': {
    required: true,
    description: 'The header in which to send the API key.',
    schema: { type: 'string' },
  },
  allow: {
    required: true,
    description: 'The methods that the path supports.',
    schema: { type: 'string' },
  },
  'retry-after': {
    required: true,
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof HEADERS;

export function openHeaders(...more: readonly HeaderName[]): Record<string, Json> {
  const names: readonly HeaderName[] = [
    'x-request-id',
    'x-client-request-id',
    'cache-control',
    ...more,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of responses to requests with a valid key. */
export function recordedHeaders(...more: readonly HeaderName[]): Json {
  return openHeaders('x-audit-record-id', ...more);
}

/** Additional header of a status. */
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
  if (status === 431) {
    // No header of the request was read.
    const { 'x-client-request-id': _, ...headers } = openHeaders();
    return headers;
  }
  return NEVER_RECORDED.includes(status) ? openHeaders(...more) : recordedHeaders(...more);
}
