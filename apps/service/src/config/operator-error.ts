/** A failure that is told to whoever runs the service: the message is a line for them, without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** 1: it failed. 2: what was asked for cannot be done. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.exitCode = exitCode;
  }
}
