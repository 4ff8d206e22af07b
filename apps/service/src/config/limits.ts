/** Limits that no deployment changes; specs pass their own to `createApp`. Times in milliseconds. */
export const LIMITS = {
  /** To receive a request, then 408. To answer it, then 504; longer where upstreams may take longer. */
  requestMs: 30_000,
  /** To receive the headers of a request, then 408. */
  headersMs: 10_000,
  /** For requests in progress, after SIGTERM or Ctrl-C. */
  shutdownMs: 1500,
  /** Requests without a valid key or session, by client address and minute, then 429. */
  requestsPerAddress: 600,
  /** To read from an upstream, retries included, then 504. */
  upstreamMs: 10_000,
  /** Points of a timeseries page. */
  pageSize: 1000,
};

export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
