/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startMinutes, type Minutes } from './minutes.ts';
import { addClock, openPerson, openWindow, signIn } from './page.ts';
import type { App } from './runtime.ts';
import { within } from './screens.ts';
import type { Row } from '../measure.ts';

const drawings = 10;
const settledAfterMs = 200;
const parts = [
  [0.25, 0.75],
  [0.1, 0.9],
  [0.4, 0.5],
] as const;

/** Goal 12: 100,000 columns in one chart, drawn whole and zoomed into with the pointer. */
export async function chart(executable: string, desktop: App): Promise<readonly Row[]> {
  const minutes = await startMinutes();
  const { page, close } = await openWindow(executable, desktop);
  try {
    await signIn(page, minutes.baseUrl, 'cg_live_bench');
    await addClock(page);
    await showAll(page, minutes);
    const whole: number[] = [];
    const zoomed: number[] = [];
    for (let turn = -1; turn < drawings; turn += 1) {
      for (const part of parts) {
        const taken = await zoomAndBack(page, part, turn < 0);
        if (turn < 0) continue;
        zoomed.push(taken.zoomed);
        whole.push(taken.whole);
      }
    }
    const points = minutes.points.toLocaleString('en');
    return [
      within(`${points} points drawn, median of ${whole.length}`, whole, 100, 0.5),
      within(`zoom into a part of them, median`, zoomed, 32, 0.5),
    ];
  } finally {
    await close();
    await minutes.stop();
  }
}

async function showAll(page: Page, { clientUserId, range, points }: Minutes): Promise<void> {
  await openPerson(page, clientUserId);
  await page.keyboard.press('Control+4');
  const [first, last] = range;
  await page.getByLabel(/^From /u).fill(first);
  await page.getByLabel(/^To /u).fill(last);
  await page.keyboard.press('Enter');
  await page
    .getByText(`${points.toLocaleString('en')} sessions`, { exact: true })
    .waitFor({ timeout: 120_000 });
  await page.locator('.u-over').waitFor();
}

/** Milliseconds from the end of the drag, and from the double click that shows the whole again, each to the paint. */
async function zoomAndBack(
  page: Page,
  [from, to]: readonly [from: number, to: number],
  watched: boolean,
): Promise<{ zoomed: number; whole: number }> {
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('the chart has no place on the page');
  const y = box.y + box.height / 2;
  const at = (part: number): number => box.x + box.width * part;
  const before = watched ? await picture(page) : undefined;
  const zoomed = await timed(page, 'mouseup', async () => {
    await page.mouse.move(at(from), y);
    await page.mouse.down();
    await page.mouse.move(at((from + to) / 2), y);
    await page.mouse.move(at(to), y);
    await page.mouse.up();
  });
  const zoomedTo = watched ? await picture(page) : undefined;
  if (watched && zoomedTo === before) throw new Error('the drag did not change the chart');
  const whole = await timed(page, 'dblclick', () => page.mouse.dblclick(at(0.5), y));
  return { zoomed, whole };
}

/** Read in the turn that isn't measured only: reading the canvas back holds up the frames after it. */
const picture = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.querySelector('canvas')?.toDataURL());

/** From an event's own moment to the paint after it, with nothing left to paint from before. */
async function timed(page: Page, event: string, act: () => Promise<void>): Promise<number> {
  await wait(settledAfterMs);
  const measured = await page.evaluateHandle((kind) => {
    const { benchPainted } = window as unknown as { benchPainted: () => Promise<number> };
    const taken = new Promise<number>((resolve) => {
      addEventListener(
        kind,
        ({ timeStamp }) => {
          void benchPainted().then((painted) => {
            resolve(painted - timeStamp);
          });
        },
        { capture: true, once: true },
      );
    });
    return { taken };
  }, event);
  await act();
  return measured.evaluate((held) => held.taken);
}
