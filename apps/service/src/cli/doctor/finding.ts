import { OperatorError } from '../../config/operator-error.ts';
import { toOperatorError } from '../../config/to-operator-error.ts';

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'fault';
  readonly what: string;
  /** A command, or what to do; '' where all is well. */
  readonly next: string;
}

/** Thrown by a check: worth the operator's time, but the service works. */
export class Warning extends OperatorError {}

/** One check: its sentence if all is well, or what it threw as a finding. The other checks go on. */
export async function examine(
  check: string,
  next: string,
  look: () => unknown,
): Promise<Finding[]> {
  try {
    const what = await look();
    return typeof what === 'string' ? [{ check, level: 'ok', what, next: '' }] : [];
  } catch (error) {
    const known = toOperatorError(error);
    if (!(known instanceof OperatorError)) {
      throw error;
    }
    const level = known instanceof Warning ? 'warning' : 'fault';
    return known.message.split('\n').map((what) => ({ check, level, what, next }));
  }
}
