import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SendRequest, Sent } from '../../../bridge/print.ts';
import type { print as Print } from './print-sheets.ts';

/** What main was asked for, in its order. */
let calls: string[];
let onCall: (() => void)[];
/** How main answers each print. */
let answer: (request: SendRequest) => Sent['result'] | Promise<Sent['result']>;
/** What is laid out in the page. */
let laidOut: Set<string>;
let print: typeof Print;

beforeEach(async () => {
  calls = [];
  onCall = [];
  laidOut = new Set();
  const caregate = {
    sendPrint: async (request: SendRequest) => {
      note(`${request.id} ${request.pages ? 'sheets' : 'bytes'}`);
      return { ok: true, value: { result: await answer(request) } };
    },
    cancelPrint: ({ id }: { id: string }) => {
      note(`${id} cancelled`);
      return Promise.resolve({ ok: true, value: {} });
    },
  };
  Object.assign(globalThis, { window: { caregate } });
  // The queue is the module's: each test has one of its own.
  jest.resetModules();
  ({ print } = await import('./print-sheets.ts'));
});

function note(what: string): void {
  calls.push(what);
  for (const look of onCall) look();
}

const never = new Promise<never>(() => undefined);

/** The page's own laying out needs a document: what is laid out is only noted. */
const start = (id: string, { signal = new AbortController().signal, isDialog = false } = {}) =>
  print({ id, copies: 1, ...(!isDialog && { printer: 'Desk' }) }, signal, {
    onSheets: async (of, _, does) => {
      laidOut.add(of);
      try {
        return await does();
      } finally {
        laidOut.delete(of);
      }
    },
  });

/** Resolves once main was asked for this. */
function whenCalled(what: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (calls.includes(what)) resolve();
    };
    onCall.push(look);
    look();
  });
}

describe('prints of a window', () => {
  it('that main makes by itself don’t wait for sheets whose printer never answers', async () => {
    answer = ({ id, pages }) => (id === 'bytes' ? 'sent' : pages ? never : 'pagesNeeded');
    void start('dialog', { isDialog: true });
    await whenCalled('dialog sheets');
    expect(await start('bytes')).toBe(true);
  });

  it('by sheets are asked for at once, and laid out one after the other', async () => {
    let finish = (): void => undefined;
    const first = new Promise<Sent['result']>((resolve) => {
      finish = () => {
        resolve('sent');
      };
    });
    const together: string[][] = [];
    answer = ({ id, pages }) => {
      if (pages) together.push([...laidOut]);
      return !pages ? 'pagesNeeded' : id === 'a' ? first : 'sent';
    };
    const a = start('a');
    const b = start('b');
    await whenCalled('a sheets');
    await whenCalled('b bytes');
    expect(calls).not.toContain('b sheets');
    finish();
    expect(await Promise.all([a, b])).toEqual([true, true]);
    expect(together).toEqual([['a'], ['b']]);
    expect(calls.filter((one) => one.endsWith('cancelled'))).toEqual([]);
  });

  it('by sheets aren’t sent, nor laid out, while a dialog that was left stands open; afterwards they are', async () => {
    let close = (): void => undefined;
    const closed = new Promise<Sent['result']>((resolve) => {
      close = () => {
        resolve('notSent');
      };
    });
    answer = ({ id, pages }) => (!pages ? 'pagesNeeded' : id === 'dialog' ? closed : 'sent');
    const left = new AbortController();
    const dialog = start('dialog', { isDialog: true, signal: left.signal });
    await whenCalled('dialog sheets');
    const waiting = start('waiting');
    await whenCalled('waiting bytes');
    left.abort();
    expect(calls).toContain('dialog cancelled');
    expect(await waiting).toBe(false);
    expect(await start('next')).toBe(false);
    // Main keeps neither.
    expect(calls).toContain('waiting cancelled');
    expect(calls).toContain('next cancelled');
    expect(calls.filter((one) => one.endsWith('sheets'))).toEqual(['dialog sheets']);
    close();
    expect(await dialog).toBe(false);
    expect(await start('later')).toBe(true);
  });

  it('that are given up while they are recorded are cancelled in main, and not laid out', async () => {
    let record = (): void => undefined;
    const recorded = new Promise<Sent['result']>((resolve) => {
      record = () => {
        resolve('pagesNeeded');
      };
    });
    answer = () => recorded;
    const gone = new AbortController();
    const printing = start('a', { signal: gone.signal });
    gone.abort();
    record();
    await expect(printing).rejects.toThrow();
    expect(calls.slice(0, 2)).toEqual(['a bytes', 'a cancelled']);
    expect(calls).not.toContain('a sheets');
    expect(laidOut.size).toBe(0);
  });
});
