/// <reference lib="dom" />
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openWindow, signIn } from './page.ts';
import { buildDesktop, provideElectron } from './runtime.ts';
import { workFolder } from '../service.ts';

/** Between two keys: some 80 words a minute. */
const betweenKeysMs = 150;
/** Nothing has changed for so long: the search is over. */
const quietMs = 1000;
/** A text whose last letter changes nothing is told from a late answer by this. */
const longestMs = 5000;
const warmUps = 5;

/**
 * Milliseconds from the last key of each text, typed into Find, to the paint of the last change of the rows: later ones are
 * its own, as what is asked for a letter before is shown first. Texts whose last letter changes nothing in five seconds are
 * left out.
 */
export async function typedAtADesk(
  address: string,
  key: string,
  texts: readonly string[],
): Promise<number[]> {
  const { executable, end } = await provideElectron();
  const folder = workFolder();
  try {
    const { page, close } = await openWindow(executable, buildDesktop(folder.path));
    try {
      await signIn(page, address, key);
      await watchRows(page);
      const taken: number[] = [];
      for (const [at, text] of texts.entries()) {
        const ms = await typed(page, text);
        if (ms !== undefined && at >= warmUps) {
          taken.push(ms);
        }
      }
      if (taken.length < texts.length / 2) {
        throw new Error(`only ${taken.length} of ${texts.length} searches showed something new`);
      }
      return taken;
    } finally {
      await close();
    }
  } finally {
    end();
    folder.remove();
  }
}

/** Keeps when a key was pressed last, and when the rows were painted last after a change. */
async function watchRows(page: Page): Promise<void> {
  await page.evaluate((shortestMs) => {
    const noted = { key: 0, rows: 0 };
    Object.assign(window, { benchTyping: noted });
    addEventListener('keydown', ({ timeStamp }) => (noted.key = timeStamp), { capture: true });
    // A letter that no key of this keyboard has comes without one.
    const onInput = ({ timeStamp }: Event): void => {
      if (timeStamp - noted.key > shortestMs) noted.key = timeStamp;
    };
    addEventListener('beforeinput', onInput, { capture: true });
    const isOfRows = ({ target, addedNodes }: MutationRecord): boolean =>
      [target, ...addedNodes].some((node) => {
        const element = node instanceof Element ? node : node.parentElement;
        return (
          element?.closest('[role=option]') != null ||
          element?.querySelector('[role=option]') != null
        );
      });
    new MutationObserver((changes) => {
      if (!changes.some(isOfRows)) return;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          noted.rows = performance.now();
          port1.close();
        };
        port2.postMessage(undefined);
      });
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, betweenKeysMs / 2);
}

async function typed(page: Page, text: string): Promise<number | undefined> {
  await page.keyboard.press('Control+k');
  const field = page.locator('main form input').first();
  await field.fill('');
  await field.focus();
  await page.keyboard.type(text, { delay: betweenKeysMs });
  for (;;) {
    await wait(100);
    const { key, rows, now } = await page.evaluate(() => ({
      ...(window as unknown as { benchTyping: { key: number; rows: number } }).benchTyping,
      now: performance.now(),
    }));
    if (rows > key && now - rows > quietMs) return rows - key;
    if (now - key > longestMs) return rows > key ? rows - key : undefined;
  }
}
