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

/** What main answers in a test: a value, why there is none, or nothing ever. */
type Answer<T> = { readonly value: T } | { readonly problem: Problem } | 'silent';
type Channels = Exclude<ChannelName, 'read' | 'state'>;
export type Answers = { readonly [C in Channels]?: Answer<ChannelResponse<C>> } & {
  readonly [R in ReadName]?: Answer<ReadAnswer<R>>;
} & { readonly status?: { readonly value: Status } };

/** A call that the page has made; of a read, its operation and parameters. */
export interface Call {
  readonly channel: Channels | ReadName;
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
        // Electron fails a call in the page whose event nobody holds any more.
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
 * The calls of these channels since the last stand-in, in their order, once there are so many: a key that was pressed
 * reaches main by another way than the question what has reached it.
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

/** Tells every window what main would: who is at the desk now. */
export async function tell({ app }: Desktop, status: Status): Promise<void> {
  await app.evaluate(({ BrowserWindow }, given) => {
    for (const window of BrowserWindow.getAllWindows()) {
      window.webContents.send('caregate:state', { status: given });
    }
  }, status);
}
