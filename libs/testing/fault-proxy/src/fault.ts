/** What is done to the answer of one request. Times in milliseconds, `bytes` count from the answer's first one. */
export type Fault =
  | { readonly kind: 'none' }
  /** The answer comes whole, later. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** So much of the answer, then a TCP reset. */
  | { readonly kind: 'reset'; readonly bytes: number }
  /** So much of the answer, then our side is shut and the other one is left open. */
  | { readonly kind: 'half-closed'; readonly bytes: number }
  /** So much of the answer, then the connection is closed in order. */
  | { readonly kind: 'truncated'; readonly bytes: number }
  /** So much of the answer, then silence. */
  | { readonly kind: 'stalled'; readonly bytes: number }
  /** One byte at a time, so long from one to the next. */
  | { readonly kind: 'trickle'; readonly ms: number }
  /** Each bit turned over: of all, so that it is no HTTP, or of the body alone. */
  | { readonly kind: 'garbage'; readonly part: 'all' | 'body' }
  /** `content-length` says so many more than there are (fewer, if below 0). The connection stays open. */
  | { readonly kind: 'content-length'; readonly by: number }
  /** The right body with blanks behind it, so many bytes when unpacked. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  /** 429 instead of the answer; the upstream is not asked. */
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** The answer, and later the same again, unasked: the next request on the connection might take it for its own. */
  | { readonly kind: 'doubled'; readonly ms: number };

export const FAULT_KINDS = [
  'none',
  'latency',
  'reset',
  'half-closed',
  'truncated',
  'stalled',
  'trickle',
  'garbage',
  'content-length',
  'gzip-bomb',
  'too-many',
  'doubled',
] as const satisfies readonly Fault['kind'][];

export const NO_FAULT: Fault = { kind: 'none' };
