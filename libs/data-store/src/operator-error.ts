/** An error for the operator, which is printed as one line without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** 1 for a failure, 2 for a usage or input error. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.exitCode = exitCode;
  }
}

/** Returns the code of an error, or '' if it has none. Doesn't use `instanceof`, which fails across realms (Jest). */
export function getErrorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : '';
}
