import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { PEOPLE } from '../support/people-states.testing.ts';
import { enterPeopleState } from '../support/people-steps.testing.ts';
import { violations } from '../support/violations.testing.ts';

/** Sign-in, lock, emergency access and the auditor's desk in each of their states: what axe finds, at 7:1. */
let desktop: Desktop;

beforeAll(async () => {
  desktop = await launch();
});
afterAll(() => desktop.close());
afterEach(() => {
  expect(desktop.faults).toEqual([]);
});

describe('the people of a desk', () => {
  it.each(Object.entries(PEOPLE))('%s', async (_name, state) => {
    await enterPeopleState(desktop, state);
    expect(await violations(desktop.page, 'color-contrast-enhanced')).toEqual([]);
  });
});
