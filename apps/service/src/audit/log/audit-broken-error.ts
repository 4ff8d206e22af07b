/** Why verification failed; each has an exit code of `caregate audit verify`. */
export type Breach = 'altered' | 'truncated' | 'forked' | 'bad_signature' | 'gap';

/** The stored log failed verification. */
export class AuditBrokenError extends Error {
  override readonly name = 'AuditBrokenError';
  readonly breach: Breach;
  /** The first affected record, if known. */
  readonly seq: number | undefined;

  constructor(breach: Breach, message: string, seq?: number) {
    super(message);
    this.breach = breach;
    this.seq = seq;
  }
}
