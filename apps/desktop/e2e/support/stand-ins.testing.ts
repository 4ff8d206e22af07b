import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../src/shared/app-state.ts';
import type { ChannelName, ResponseOf } from '../../src/shared/channels.ts';
import type { Problem } from '../../src/shared/problem.ts';
import type { Desktop } from './desktop.testing.ts';

/** What main answers in a test: a value, why there is none, or nothing ever. */
type Answer<C extends ChannelName> =
  | { readonly value: ResponseOf<C> }
  | { readonly problem: Problem }
  | 'silent';
export type Answers = { readonly [C in ChannelName]?: Answer<C> };

/** A call that the page has made. */
export interface Call {
  readonly channel: ChannelName;
  readonly request: unknown;
}

/**
 * Has main answer these channels as told, in the real preload and the real page: for screens whose states a service
 * would be hours in coming to. Every channel that isn't named stays as it is.
 */
export async function standIn(desktop: Desktop, answers: Answers): Promise<void> {
  try {
    await answerWith(desktop, answers);
  } catch (error) {
    // The debugger of main now and then loses the end of a call: what is told here may be told twice.
    if (!/promise was garbage collected/iu.test(String(error))) throw error;
    await answerWith(desktop, answers);
  }
}

async function answerWith({ app }: Desktop, answers: Answers): Promise<void> {
  await app.evaluate(({ ipcMain }, given) => {
    const global = globalThis as unknown as { calls: unknown[]; unanswered?: unknown[] };
    global.calls = [];
    const unanswered = (global.unanswered ??= []);
    for (const [channel, answer] of Object.entries(given)) {
      ipcMain.removeHandler(`caregate:${channel}`);
      ipcMain.handle(`caregate:${channel}`, (event, request: unknown) => {
        global.calls.push({ channel, request });
        if (answer === 'silent') {
          // Electron fails a call in the page whose event nobody holds any more.
          unanswered.push(event);
          return new Promise(() => undefined);
        }
        return { ok: 'value' in answer, ...answer };
      });
    }
  }, answers);
}

/**
 * The calls of these channels since the last stand-in, in their order, once there are so many: a key that was pressed
 * reaches main by another way than the question what has reached it.
 */
export async function callsTo(
  { app }: Desktop,
  channels: readonly ChannelName[],
  atLeast: number,
): Promise<readonly Call[]> {
  for (;;) {
    const all = await app.evaluate(() => (globalThis as unknown as { calls: Call[] }).calls);
    const calls = all.filter(({ channel }) => channels.includes(channel));
    if (calls.length >= atLeast) return calls;
    await sleep(20);
  }
}

/** Tells every window what main would: who is at the desk now. */
export async function tell({ app }: Desktop, status: Status): Promise<void> {
  await app.evaluate(({ BrowserWindow }, given) => {
    for (const window of BrowserWindow.getAllWindows()) {
      window.webContents.send('caregate:statusChanged', given);
    }
  }, status);
}
