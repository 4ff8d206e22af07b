import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

/** A key of a US scanner, as the computer's keyboard layout reads it. */
interface OnLayout {
  readonly key: string;
  readonly code: string;
  readonly shift?: boolean;
}

type Scan = (
  code: string | readonly OnLayout[],
  gap: () => number,
  end?: 'Enter' | 'Tab',
  /** Milliseconds since the previous code on the clock of the key events; at least half a second by default. */
  apart?: number,
) => Promise<void>;

export interface Scanner {
  /**
   * Sends a code and its end as real key events with given times, so that a busy computer changes no gap. Returns once
   * these times have passed, so that the next key doesn't seem to be part of the code.
   */
  readonly scan: Scan;
  /** The same without waiting, for many codes in a row. */
  readonly rush: Scan;
}

/** After this time, the scan detector takes an Enter for a new key, and not for the scanner's second one. */
const echoMs = 200;

/** A scanner, which is a second keyboard for the browser. */
export async function connectScanner(page: Page): Promise<Scanner> {
  const session = await page.context().newCDPSession(page);
  let at = Date.now();
  const rush: Scan = async (code, gap, end = 'Enter', apart) => {
    // The detector joins the parts of a code within 400 ms, so this must be longer.
    at = apart === undefined ? Math.max(at + 500, Date.now()) : at + apart;
    // The keys don't wait for each other, since delays by a busy computer would look like typing.
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

/** Enter also sends a character, but Tab doesn't. */
const ends = {
  Enter: { type: 'keyDown', text: '\r', unmodifiedText: '\r', windowsVirtualKeyCode: 13 },
  Tab: { type: 'rawKeyDown', windowsVirtualKeyCode: 9 },
} as const;

/** The modifiers of the DevTools protocol. */
const SHIFT = 8;

/** Presses and releases a key; `at` is in milliseconds since the epoch. */
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
