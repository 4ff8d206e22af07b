import type { CDPSession, Page } from 'playwright-core';

export interface Scanner {
  /** Sends a code and its end as real keys. Their times are told, so a busy computer changes no gap. Milliseconds. */
  scan(code: string, gap: () => number, end?: 'Enter' | 'Tab'): Promise<void>;
}

/** A scanner as the browser sees one: a second keyboard. */
export async function connectScanner(page: Page): Promise<Scanner> {
  const session = await page.context().newCDPSession(page);
  let at = Date.now();
  return {
    scan: async (code, gap, end = 'Enter') => {
      // Codes are a second apart on the keys' own clock, however fast the test is.
      at = Math.max(at + 1000, Date.now());
      for (const key of [...Array.from(code), end]) {
        at += gap();
        await press(session, key, at);
      }
    },
  };
}

/** What the end of a code is, beside its name: Enter is a character, Tab is none. */
const ends = {
  Enter: { type: 'keyDown', text: '\r', unmodifiedText: '\r', windowsVirtualKeyCode: 13 },
  Tab: { type: 'rawKeyDown', windowsVirtualKeyCode: 9 },
} as const;

/** A key down and up; `at` in milliseconds since the epoch. */
async function press(session: CDPSession, key: string, at: number): Promise<void> {
  const timestamp = at / 1000;
  const down =
    key === 'Enter' || key === 'Tab'
      ? { ...ends[key], code: key }
      : ({ type: 'keyDown', text: key, unmodifiedText: key } as const);
  await session.send('Input.dispatchKeyEvent', { ...down, key, timestamp });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp });
}
