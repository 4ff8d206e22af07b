/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises';
import { sampleEnvelopes } from '@caregate/sample-data';
import type { Page } from 'playwright-core';
import {
  addClock,
  forget,
  next,
  openNewestResult,
  openOrder,
  openPerson,
  openWindow,
  signIn,
} from './page.ts';
import { memoryOf, type App } from './runtime.ts';
import { median, quantile, type Row } from '../measure.ts';
import { noLimits } from '../reads.ts';
import { startService } from '../service.ts';

const people = 10_000;
const openings = 50;
const patients = 500;
const drawings = 10;
const settledAfterMs = 10_000;
/** The demo's order with five hundred results, and another to come back from. */
const fiveHundred = 'a3c0de00-0000-4000-9000-00000000001b';
const other = 'a3c0de00-0000-4000-9000-000000000014';

/** Goals 2 (500 patients), 8 and 9: in the window, at a demo of 10,000 people. */
export async function screens(executable: string, desktop: App): Promise<readonly Row[]> {
  const service = await startService(['demo', '--users', String(people)], noLimits);
  const asked = { baseUrl: service.baseUrl, key: service.ready.keys['clinician'] ?? '' };
  const some = somePatients();
  const inWindow = async <T>(work: (page: Page, pid: number) => Promise<T>): Promise<T> => {
    const { page, pid, close } = await openWindow(executable, desktop);
    try {
      await signIn(page, asked.baseUrl, asked.key);
      return await work(page, pid);
    } finally {
      await close();
    }
  };
  try {
    return [
      await inWindow((page, pid) => manyPatients(page, pid, some)),
      await inWindow((page) => resolving(page, asked, some)),
      await inWindow(fiveHundredResults),
    ];
  } finally {
    await service.stop();
  }
}

/** Client ids of the first people of the demo that have lab results, each with a table of results. */
function somePatients(): readonly string[] {
  const haveTables = new Map<string, boolean>();
  let clientUserId = '';
  for (const envelope of sampleEnvelopes({ users: people, kinds: ['user', 'lab_result'] })) {
    if (envelope.kind === 'user') {
      if (haveTables.size === 2 * patients) break;
      clientUserId = envelope.user.client_user_id;
    } else if (envelope.kind === 'lab_result') {
      const hasTable = envelope.result.results.length > 0;
      haveTables.set(clientUserId, hasTable && haveTables.get(clientUserId) !== false);
    }
  }
  return [...haveTables]
    .filter(([, hasTables]) => hasTables)
    .map(([id]) => id)
    .slice(0, patients);
}

/** Enter to the paint that shows the person, beside the service's own time for the same person, in turns. */
async function resolving(
  page: Page,
  { baseUrl, key }: { baseUrl: string; key: string },
  some: readonly string[],
): Promise<Row> {
  await page.evaluate(() => {
    const noted = window as unknown as { benchEnter: number };
    addEventListener(
      'keydown',
      ({ key: pressed, timeStamp }) => {
        if (pressed === 'Enter') noted.benchEnter = timeStamp;
      },
      { capture: true },
    );
  });
  const beyond: number[] = [];
  for (const [index, clientUserId] of some.slice(0, openings + 1).entries()) {
    const began = performance.now();
    const answer = await fetch(`${baseUrl}/v2/user/resolve/${encodeURIComponent(clientUserId)}`, {
      headers: { 'x-service-api-key': key },
    });
    await answer.text();
    const service = performance.now() - began;
    await forget(page, 'caregate.open');
    await openPerson(page, clientUserId);
    const { start, duration } = await next(page, 'caregate.open');
    const enter = await page.evaluate(
      () => (window as unknown as { benchEnter: number }).benchEnter,
    );
    // The first one loads the screen's code.
    if (index > 0) beyond.push(start + duration - enter - service);
  }
  return within(
    `Enter to the person painted, beyond the service's time, p95 of ${openings}`,
    beyond,
    100,
  );
}

/** A click on the order, whose answer is held, to the paint with all its rows. */
async function fiveHundredResults(page: Page): Promise<Row> {
  await addClock(page);
  await openOrder(page, fiveHundred);
  await page.locator('tbody tr').nth(499).waitFor();
  const taken: number[] = [];
  for (let turn = -1; turn < drawings; turn += 1) {
    await openOrder(page, other);
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length < 500);
    const took = await page.evaluate(async (orderId) => {
      const { benchPainted } = window as unknown as { benchPainted: () => Promise<number> };
      const button = [...document.querySelectorAll<HTMLButtonElement>('[role=group] button')].find(
        ({ textContent }) => textContent.includes(orderId),
      );
      if (button === undefined) throw new Error('no button leads back to the order');
      const from = performance.now();
      button.click();
      let at = await benchPainted();
      while (document.querySelectorAll('tbody tr').length < 500) at = await benchPainted();
      return at - from;
    }, fiveHundred);
    if (turn >= 0) taken.push(took);
  }
  return within(`500 results rendered, median of ${drawings}`, taken, 150, 0.5);
}

/** Person, insurance and labs of 500 people, one after the other; the desktop collects by itself when it rests. */
async function manyPatients(page: Page, pid: number, some: readonly string[]): Promise<Row> {
  const look = async (clientUserId: string): Promise<void> => {
    await openPerson(page, clientUserId);
    await page.keyboard.press('Control+3');
    await page.getByRole('heading', { name: 'Insurance', exact: true }).waitFor();
    await openNewestResult(page);
  };
  // All screens are loaded before the first figure.
  for (const patient of some.slice(-3)) await look(patient);
  await wait(settledAfterMs);
  const before = memoryOf(pid);
  for (const patient of some) await look(patient);
  await wait(settledAfterMs);
  const grown = memoryOf(pid) - before;
  return {
    what: `memory added by ${patients} patients (person, insurance, labs)`,
    unit: 'MB',
    measured: grown,
    bound: 'at most 40 MB',
    kept: grown <= 40,
  };
}

/** A row of milliseconds held to a bound, by a quantile of the runs. */
export function within(what: string, taken: readonly number[], most: number, at = 0.95): Row {
  const measured = at === 0.5 ? median(taken) : quantile(taken, at);
  return { what, unit: 'ms', measured, bound: `at most ${most} ms`, kept: measured <= most };
}
