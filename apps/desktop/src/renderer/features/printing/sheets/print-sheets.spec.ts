import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SendRequest, Sent } from '../../../../shared/print.ts';
import type { print as Print } from './print-sheets.ts';

/** What main was asked for, in its order. */
let calls: string[];
let onCall: (() => void)[];
/** How main answers each print. */
let answer: (request: SendRequest) => Sent['result'] | Promise<Sent['result']>;
let print: typeof Print;

beforeEach(async () => {
  calls = [];
  onCall = [];
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

/** The page's own laying out needs a document. */
const start = (id: string, { signal = new AbortController().signal, isDialog = false } = {}) =>
  print({ id, copies: 1, ...(!isDialog && { printer: 'Desk' }) }, signal, (_id, _signal, does) =>
    does(),
  );

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

  it('by sheets aren’t sent while a dialog that was left stands open; afterwards they are', async () => {
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
});
