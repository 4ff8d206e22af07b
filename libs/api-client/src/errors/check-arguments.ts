import { InvalidArgumentError } from './call-errors.ts';

/**
 * Returns the number if it is one within the range. Throws {@link InvalidArgumentError}. Callers in JavaScript may
 * pass other types.
 */
export function checkRange(name: string, value: unknown, least: number, most = 1e9): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new InvalidArgumentError(name, `must be from ${least} to ${most}`);
  }
  return value;
}

/**
 * Accepts undefined. Throws {@link InvalidArgumentError}, whose message has the argument's name and the valid range.
 */
export function checkInteger(
  name: string,
  value: unknown,
  [least, most]: readonly [least: number, most: number],
  route: string,
): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new InvalidArgumentError(name, `must be a whole number, ${range}`, route);
  }
}
