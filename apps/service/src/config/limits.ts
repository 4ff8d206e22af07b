/** Limits that no setting changes. Specs pass their own to `createApp`. Times are in milliseconds. */
export const LIMITS = {
  /**
   * Time to receive a request (then 408), and time to respond to it (then 504). Requests to upstreams may take
   * longer.
   */
  requestMs: 30_000,
  /** Time to receive the headers of a request, then 408. */
  headersMs: 10_000,
  /** Time for requests in progress after SIGTERM or Ctrl-C. */
  shutdownMs: 1500,
  /** Requests without a valid API key or session for each client address and minute, then 429. */
  requestsPerAddress: 600,
  /** Time to read from an upstream, including retries, then 504. */
  upstreamMs: 10_000,
  pageSize: 1000,
};

export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
