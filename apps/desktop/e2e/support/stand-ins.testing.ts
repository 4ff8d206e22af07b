import { setTimeout as sleep } from 'node:timers/promises';
import type { AppState, Status } from '../../src/shared/app-state.ts';
import type {
  ReadAnswer,
  ChannelName,
  ReadName,
  ChannelResponse,
} from '../../src/shared/channels.ts';
import type { Outcome, Problem } from '../../src/shared/problem.ts';
import type { Desktop } from './desktop.testing.ts';

/** Main's answer in a test: a value, a problem, or no answer at all. */
type Answer<T> = { readonly value: T } | { readonly problem: Problem } | 'silent';
type Channels = Exclude<ChannelName, 'read' | 'state'>;
export type Answers = { readonly [C in Channels]?: Answer<ChannelResponse<C>> } & {
  readonly [R in ReadName]?: Answer<ReadAnswer<R>>;
} & { readonly status?: { readonly value: Status } };

/** A call from the page. A read has its operation and parameters. */
export interface Call {
  readonly channel: Channels | ReadName;
  readonly request: unknown;
}

/**
 * Replaces main's answers on these channels for the real preload and page, for states that a service would take hours
 * to reach. All other channels stay as they are.
 */
export async function standIn(desktop: Desktop, answers: Answers): Promise<void> {
  try {
    await answerWith(desktop, answers);
  } catch (error) {
    // The debugger sometimes loses the end of a call, so the call may be repeated.
    if (!/promise was garbage collected/iu.test(String(error))) throw error;
    await answerWith(desktop, answers);
  }
}

async function answerWith({ app }: Desktop, answers: Answers): Promise<void> {
  await app.evaluate(({ ipcMain }, given) => {
    type Handler = (event: unknown, request: never) => unknown;
    const { _invokeHandlers: handlers } = ipcMain as unknown as {
      readonly _invokeHandlers: Map<string, Handler>;
    };
    const global = globalThis as unknown as {
      calls: unknown[];
      answers?: Answers;
      unanswered?: unknown[];
      realHandlers?: ReadonlyMap<string, Handler>;
    };
    global.calls = [];
    const unanswered = (global.unanswered ??= []);
    const real = (global.realHandlers ??= new Map(handlers));
    const { status, ...others } = (global.answers = { ...global.answers, ...given });
    const answerTo = (channel: string, event: unknown, request: unknown): unknown => {
      const answer = others[channel as keyof typeof others] ?? 'silent';
      global.calls.push({ channel, request });
      if (answer === 'silent') {
        // Electron fails a call if its event object is garbage collected.
        unanswered.push(event);
        return new Promise(() => undefined);
      }
      return { ok: 'value' in answer, ...answer };
    };
    for (const channel of Object.keys(others)) {
      if (handlers.has(`caregate:${channel}`)) {
        handlers.set(`caregate:${channel}`, (event, request) => answerTo(channel, event, request));
      }
    }
    handlers.set('caregate:read', (event, request: { operation: string; params: unknown }) =>
      request.operation in others
        ? answerTo(request.operation, event, request.params)
        : real.get('caregate:read')?.(event, request as never),
    );
    if (status !== undefined) {
      handlers.set('caregate:state', async (event, request) => {
        const answer = (await real.get('caregate:state')?.(event, request)) as Outcome<AppState>;
        return answer.ok ? { ...answer, value: { ...answer.value, status: status.value } } : answer;
      });
    }
  }, answers);
}

/**
 * Waits for this number of calls on these channels since the last stand-in, and returns them in order. A key
 * press may reach main later than the question does.
 */
export async function callsTo(
  { app }: Desktop,
  channels: readonly Call['channel'][],
  atLeast: number,
): Promise<readonly Call[]> {
  for (;;) {
    const all = await app.evaluate(() => (globalThis as unknown as { calls: Call[] }).calls);
    const calls = all.filter(({ channel }) => channels.includes(channel));
    if (calls.length >= atLeast) return calls;
    await sleep(20);
  }
}

/** Sends a status to every window, as main would. */
export async function tell({ app }: Desktop, status: Status): Promise<void> {
  await app.evaluate(({ BrowserWindow }, given) => {
    for (const window of BrowserWindow.getAllWindows()) {
      window.webContents.send('caregate:state', { status: given });
    }
  }, status);
}
