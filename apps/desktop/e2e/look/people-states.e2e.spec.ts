import { describe, expect, it } from '@jest/globals';
import type { Desktop } from '../support/desktop.testing.ts';
import { faultsIn } from '../support/looks.testing.ts';
import { PEOPLE } from '../support/people-states.testing.ts';
import { enterPeopleState } from '../support/people-steps.testing.ts';
import { noService, startedDesk } from '../support/started-desk.testing.ts';

let desktop: Desktop;
startedDesk(noService, (started) => ({ desktop } = started));

describe('sign-in, lock, emergency access and access log', () => {
  it.each(Object.entries(PEOPLE))('%s', async (name, state) => {
    await enterPeopleState(desktop, state);
    const place = Object.keys(PEOPLE).indexOf(name);
    expect(await faultsIn(desktop, name, place)).toEqual([]);
  });
});
