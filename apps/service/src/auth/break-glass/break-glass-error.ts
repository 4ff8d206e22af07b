import { OperatorError } from '@caregate/data-store/errors';

export class BreakGlassError extends OperatorError {
  override readonly name = 'BreakGlassError';
  readonly reason: 'in-force' | 'too-many' | 'unknown' | 'reviewed' | 'own';

  constructor(reason: BreakGlassError['reason'], message: string) {
    super(message, 2);
    this.reason = reason;
  }
}
