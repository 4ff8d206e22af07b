export const LEAST_PIN_DIGITS = 6;
export const MOST_PIN_DIGITS = 12;

/** Returns what is wrong with a PIN, or undefined if it is valid. The text never contains the PIN. */
export function findPinProblem(pin: string): string | undefined {
  if (!/^[0-9]*$/u.test(pin) || pin.length < LEAST_PIN_DIGITS || pin.length > MOST_PIN_DIGITS) {
    return `must be ${LEAST_PIN_DIGITS} to ${MOST_PIN_DIGITS} digits`;
  }
  if (isRepeated(pin)) {
    return 'must not repeat the same one, two or three digits';
  }
  if (isRun(pin, 1) || isRun(pin, 9)) {
    return 'must not be digits in order';
  }
  return undefined;
}

/** Whether one to three digits repeat, such as `111111`, `121212`, `123123`. */
function isRepeated(pin: string): boolean {
  return [1, 2, 3].some((length) =>
    Array.from(pin).every((digit, at) => digit === pin.charAt(at % length)),
  );
}

/**
 * Whether each digit is the previous one plus `step` modulo 10, such as `345678` and `678901` (step 1) or `987654`
 * (step 9).
 */
function isRun(pin: string, step: number): boolean {
  return Array.from(pin).every(
    (digit, at) => at === 0 || Number(digit) === (Number(pin.charAt(at - 1)) + step) % 10,
  );
}
