/** Why a log does not verify; each has an exit code of `caregate audit verify`. */
export type Breach = 'altered' | 'truncated' | 'forked' | 'bad_signature' | 'gap';

/** The stored log is not what it was when it was written. */
export class AuditBrokenError extends Error {
  override readonly name = 'AuditBrokenError';
  readonly breach: Breach;
  /** The first record found bad, where it can be told. */
  readonly seq: number | undefined;

  constructor(breach: Breach, message: string, seq?: number) {
    super(message);
    this.breach = breach;
    this.seq = seq;
  }
}
