import { InvalidArgumentError } from './call-errors.ts';

/** Returns the number; options may come from JavaScript. Throws {@link InvalidArgumentError}. */
export function checkRange(name: string, value: unknown, least: number, most = 1e9): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new InvalidArgumentError(name, `must be from ${least} to ${most}`);
  }
  return value;
}

/** May be left out. Throws {@link InvalidArgumentError}, which names the argument and what may stand there. */
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
