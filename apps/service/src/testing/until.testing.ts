import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition is true, for as long as the test may run. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await delay(5);
  }
}
