import { describe, expect, it } from '@jest/globals';
import type { Desktop } from './desktop.testing.ts';
import { faultsIn } from './looks.testing.ts';
import { PEOPLE } from './people-states.testing.ts';
import { enterPeopleState } from './people-steps.testing.ts';
import { enterState, recover, said } from './state-walk.testing.ts';
import { noService, startedDesk } from './started-desk.testing.ts';
import type { Walk } from './state-walk.testing.ts';
import { MORE, STATES } from './states.testing.ts';

/** Which of the states get all looks; every other gets one. */
type Choice = (names: readonly string[]) => readonly string[];

const states = [
  ...Object.entries(STATES).flatMap(([screen, own]) =>
    Object.entries(own).map(([name, state]) => [`${screen}: ${name}`, state] as const),
  ),
  ...Object.entries(MORE),
];
const people = Object.entries(PEOPLE);

function looksOf(names: readonly string[], choose: Choice) {
  const inAll = new Set(choose(names));
  return (name: string, place = names.indexOf(name)) => (inAll.has(name) ? 'all' : { place });
}

/**
 * Every screen in each of its states: what it says, what it hides, what axe finds, and that no text lies over another
 * and none is cut. The last of a file, since it signs out.
 */
export function walkStates(there: { readonly walk: Walk }, choose: Choice): void {
  const names = states.map(([name]) => name);
  const gates = ['locked', 'a wrong PIN', 'signed out'];
  const looks = looksOf([...names, ...gates], choose);
  const faults = (name: string): Promise<readonly string[]> =>
    faultsIn(there.walk.desktop, name, looks(name));

  describe('every screen in each of its states', () => {
    it.each(states)('%s', async (name, state) => {
      await enterState(there.walk, state);
      const found = await faults(name);
      await recover(there.walk, state);
      expect(found).toEqual([]);
    });

    it('the way in: locked, a wrong PIN, signed out', async () => {
      const { page } = there.walk;
      await page.evaluate(() => window.caregate.lock({}));
      await page.getByRole('heading', { name: 'Locked' }).waitFor();
      expect(await faults('locked')).toEqual([]);
      await page.locator('input[type=password]').fill('902817');
      await page.keyboard.press('Enter');
      await said(page, 'Wrong PIN.');
      expect(await faults('a wrong PIN')).toEqual([]);
      await page.evaluate(() => window.caregate.signOut({}));
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
      expect(await faults('signed out')).toEqual([]);
    });
  });
}

/** The same of sign-in, lock, emergency access and the auditor's desk, at a contrast of 7:1. */
export function walkPeopleStates(choose: Choice): void {
  const looks = looksOf(
    people.map(([name]) => name),
    choose,
  );
  let desktop: Desktop;
  startedDesk(noService, (there) => ({ desktop } = there));

  describe('the people of a desk', () => {
    it.each(people)('%s', async (name, state) => {
      await enterPeopleState(desktop, state);
      expect(await faultsIn(desktop, name, looks(name), 'color-contrast-enhanced')).toEqual([]);
    });
  });
}
