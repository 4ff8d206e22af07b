/** The fault injected into a response. Times in milliseconds, `bytes` counted from the start of the response. */
export type Fault =
  | { readonly kind: 'none' }
  /** The complete response, delayed. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Part of the response, then a TCP reset. */
  | { readonly kind: 'reset'; readonly bytes: number }
  /** Part of the response, then a half-closed connection. */
  | { readonly kind: 'half-closed'; readonly bytes: number }
  /** Part of the response, then an orderly close. */
  | { readonly kind: 'truncated'; readonly bytes: number }
  /** Part of the response, then nothing. */
  | { readonly kind: 'stalled'; readonly bytes: number }
  /** One byte at a time, with a delay in between. */
  | { readonly kind: 'trickle'; readonly ms: number }
  /** All bits inverted: of the whole response, so that it is not HTTP, or of the body only. */
  | { readonly kind: 'garbage'; readonly part: 'all' | 'body' }
  /** `content-length` is larger than the body (or smaller, if negative). The connection stays open. */
  | { readonly kind: 'content-length'; readonly by: number }
  /** The body gzipped and padded with spaces to this size when unpacked. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  /** 429 instead of the response; the request is not forwarded. */
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** The response sent twice: the next request on the connection might read the second one. */
  | { readonly kind: 'doubled'; readonly ms: number };

export const NO_FAULT: Fault = { kind: 'none' };
