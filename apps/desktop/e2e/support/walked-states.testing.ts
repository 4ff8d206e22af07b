import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { everything } from './answers.testing.ts';
import { launch, look } from './desktop.testing.ts';
import type { Desktop } from './desktop.testing.ts';
import { faultsIn } from './looks.testing.ts';
import { PEOPLE } from './people-states.testing.ts';
import { enterPeopleState } from './people-steps.testing.ts';
import { enterState, plain, recover, said, startWalk } from './state-walk.testing.ts';
import type { Walk } from './state-walk.testing.ts';
import { resetShell, MORE, STATES } from './states.testing.ts';

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

/** One window and one fake service for the file, signed in and in the plain look at the start of each test. */
export function walkedDesk(): { readonly walk: Walk } {
  const there: { walk?: Walk } = {};
  beforeAll(async () => {
    there.walk = await startWalk();
  });
  afterAll(() => there.walk?.close());
  beforeEach(async () => {
    const { page, service } = there.walk!;
    service.respondWith(everything);
    // A walk that failed may have left another language.
    await look(page, plain);
    await resetShell(page);
  });
  afterEach(() => {
    expect(there.walk?.desktop.faults).toEqual([]);
  });
  return there as { walk: Walk };
}

/**
 * Every screen in each of its states: what it says, what it hides, what axe finds, and that no text lies over another
 * and none is cut. The last of a file, since it signs out.
 */
export function walkStates(there: { readonly walk: Walk }, choose: Choice): void {
  const names = states.map(([name]) => name);
  const gates = ['locked', 'a wrong key', 'signed out', 'a wrong address'];
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

    it('the way in: locked, a wrong key, signed out, a wrong address', async () => {
      const { page } = there.walk;
      await page.evaluate(() => window.caregate.lock({}));
      await page.getByRole('heading', { name: 'Locked' }).waitFor();
      expect(await faults('locked')).toEqual([]);
      await page.locator('input[type=password]').fill('cg_wrong');
      await page.keyboard.press('Enter');
      await said(page, 'That is not the key');
      expect(await faults('a wrong key')).toEqual([]);
      await page.evaluate(() => window.caregate.signOut({}));
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
      expect(await faults('signed out')).toEqual([]);
      await page.getByLabel("Clinic's Caregate address").fill('http://clinic.example');
      await page.getByLabel('Staff key').fill('cg_live_x');
      await page.keyboard.press('Enter');
      await said(page, 'The address must begin with https://.');
      expect(await faults('a wrong address')).toEqual([]);
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

  beforeAll(async () => {
    desktop = await launch();
  });
  afterAll(() => desktop.close());
  afterEach(() => {
    expect(desktop.faults).toEqual([]);
  });

  describe('the people of a desk', () => {
    it.each(people)('%s', async (name, state) => {
      await enterPeopleState(desktop, state);
      expect(await faultsIn(desktop, name, looks(name), 'color-contrast-enhanced')).toEqual([]);
    });
  });
}
