/** What callers may know of a read that failed. */
export type SourceErrorKind =
  | 'bad-upstream'
  | 'forbidden'
  | 'not-offered'
  /** The cursor belongs to another kind of source: the team's data has moved since. */
  | 'stale-cursor'
  | 'timeout'
  | 'unavailable';

/** A read that failed for a reason that the caller may know. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: SourceErrorKind;
  /** Contains no data, and nothing that an upstream wrote. */
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: SourceErrorKind,
    {
      detail,
      retryAfterSeconds,
      cause,
    }: { detail?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(kind, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
