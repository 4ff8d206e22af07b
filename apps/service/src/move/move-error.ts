/** A move that was not made; the message is a sentence for the person who asked for it. The folder is as it was. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
  /** 2: what was asked for makes no sense; 1: what is there does not allow it. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
