import type { Refusal } from './report.ts';

/** Thrown inside this room; `readMessage` returns its refusal. */
export class RefusedMessage extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
