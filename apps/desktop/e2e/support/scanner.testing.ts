import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

/** A key of a US scanner as the computer's layout reads it. */
interface OnLayout {
  readonly key: string;
  readonly code: string;
  readonly shift?: boolean;
}

type Scan = (
  code: string | readonly OnLayout[],
  gap: () => number,
  end?: 'Enter' | 'Tab',
  /** Milliseconds since the code before, on the keys' own clock; half a second or more without it. */
  apart?: number,
) => Promise<void>;

export interface Scanner {
  /**
   * Sends a code and its end as real keys. Their times are told, so a busy computer changes no gap. Milliseconds. Ends
   * once their time is past: a key that somebody presses then comes after them, and is no echo of their end.
   */
  readonly scan: Scan;
  /** The same without that wait, for many codes with no Enter or Tab of anybody's between them. */
  readonly rush: Scan;
}

/** Longer than the scan detector takes one more Enter for the scanner's own. */
const echoMs = 200;

/** A scanner as the browser sees one: a second keyboard. */
export async function connectScanner(page: Page): Promise<Scanner> {
  const session = await page.context().newCDPSession(page);
  let at = Date.now();
  const rush: Scan = async (code, gap, end = 'Enter', apart) => {
    // However fast the test is; the detector joins the parts of a code within 400 ms.
    at = apart === undefined ? Math.max(at + 500, Date.now()) : at + apart;
    // None waits for the one before it: letters that a busy computer holds up would be a person's.
    const keys = typeof code === 'string' ? Array.from(code) : code;
    const pressed = [...keys, end].map((key) => {
      at += gap();
      return press(session, key, at);
    });
    await Promise.all(pressed);
  };
  return {
    rush,
    scan: async (...code) => {
      await rush(...code);
      await sleep(Math.max(0, at + echoMs - Date.now()));
    },
  };
}

/** What the end of a code is, beside its name: Enter is a character, Tab is none. */
const ends = {
  Enter: { type: 'keyDown', text: '\r', unmodifiedText: '\r', windowsVirtualKeyCode: 13 },
  Tab: { type: 'rawKeyDown', windowsVirtualKeyCode: 9 },
} as const;

/** Of the protocol's modifiers. */
const SHIFT = 8;

/** A key down and up; `at` in milliseconds since the epoch. */
async function press(session: CDPSession, pressed: string | OnLayout, at: number): Promise<void> {
  const {
    key,
    code = '',
    shift = false,
  } = typeof pressed === 'string' ? { key: pressed } : pressed;
  const modifiers = shift ? SHIFT : 0;
  const timestamp = at / 1000;
  const down =
    key === 'Enter' || key === 'Tab'
      ? { ...ends[key], code: key }
      : ({ type: 'keyDown', text: key, unmodifiedText: key, code, modifiers } as const);
  await Promise.all([
    session.send('Input.dispatchKeyEvent', { ...down, key, timestamp }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp }),
  ]);
}
