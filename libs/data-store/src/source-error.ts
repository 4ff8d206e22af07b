/** What callers may know about a failed read. */
export type SourceErrorKind =
  | 'bad-upstream'
  | 'forbidden'
  | 'not-offered'
  /** The cursor comes from another kind of source, since the team's data was moved. */
  | 'stale-cursor'
  | 'timeout'
  | 'unavailable';

/** A read failed for a reason that the caller may know. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: SourceErrorKind;
  /** Explains the failure. Contains no data, and no text of an upstream. */
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
