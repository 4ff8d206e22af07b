import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Problem } from '../../shared/problem.ts';
import type { StoredPrint } from './print-store.ts';
import { storedPrint } from './stored-print.testing.ts';
import { sendPrint } from './send-print.ts';

/** Everything that happened, in its order. */
let steps: unknown[];
let stored: StoredPrint;
/** The answer of the log to each record. */
let recorded: Promise<Problem | undefined>;
let isWanted: boolean;
let spooled: boolean | undefined;

beforeEach(() => {
  steps = [];
  stored = storedPrint();
  recorded = Promise.resolve(undefined);
  isWanted = true;
  spooled = undefined;
});

const send = (wanted: { copies: number; pages: boolean }) =>
  sendPrint(stored, wanted, {
    record: (act) => {
      steps.push(act);
      return recorded;
    },
    isWanted: () => isWanted,
    spool: () => {
      steps.push('bytes');
      return Promise.resolve(spooled);
    },
    printSheets: () => {
      steps.push('sheets');
      return Promise.resolve('sent');
    },
  });

/** The log keeps its answer until the function is called. */
function holdLog(): () => void {
  let answerLog = (): void => undefined;
  recorded = new Promise((resolve) => {
    answerLog = () => {
      resolve(undefined);
    };
  });
  return answerLog;
}

const act = (copies: number) => ({
  ...{ kind: 'print', document: 'lab_report', pages: 2, copies, recordIds: ['r'] },
  number: stored.number,
});
const answer = (result: string) => ({ ok: true, value: { result } });
const printing = { copies: 1, pages: false };
const withSheets = { copies: 1, pages: true };

describe('a print whose bytes are handed over', () => {
  it.each([
    [true, 'sent'],
    [false, 'notSent'],
  ])('is recorded before; taken %j, it was %s', async (taken, result) => {
    spooled = taken;
    expect(await send({ copies: 3, pages: false })).toEqual(answer(result));
    expect(steps).toEqual([act(3), 'bytes']);
  });

  it('isn’t made where it can’t be recorded', async () => {
    recorded = Promise.resolve({ kind: 'offline' });
    expect(await send(printing)).toEqual({ ok: false, problem: { kind: 'offline' } });
    expect(steps).toEqual([act(1)]);
  });

  it.each([printing, withSheets])('isn’t made where nobody wants it any more: %j', async (by) => {
    const answerLog = holdLog();
    const sending = send(by);
    isWanted = false;
    answerLog();
    expect(await sending).toEqual(answer('notSent'));
    expect(steps).toEqual([act(1)]);
  });

  it('has its number for itself, whatever became of it: the next is laid out with another', async () => {
    for (const [log, taken] of [
      [undefined, true],
      [undefined, false],
      [{ kind: 'offline' }, true],
    ] as const) {
      stored = storedPrint();
      recorded = Promise.resolve(log);
      spooled = taken;
      await send(printing);
      steps = [];
      for (const by of [printing, withSheets]) {
        expect(await send(by)).toEqual({ ok: false, problem: { kind: 'cancelled' } });
      }
      expect(steps).toEqual([]);
    }
  });
});

describe('a print by the sheets of the page', () => {
  it('is recorded before the page is asked for them', async () => {
    const answerLog = holdLog();
    const asking = send(printing).then((result) => steps.push(result));
    answerLog();
    await asking;
    expect(steps).toEqual([act(1), 'bytes', answer('pagesNeeded')]);
  });

  it('prints them as soon as they are there, and records no more', async () => {
    await send(printing);
    steps = [];
    const sending = send(withSheets);
    // Nothing was awaited: the page may take them away at any time.
    expect(steps).toEqual(['sheets']);
    expect(await sending).toEqual(answer('sent'));
  });

  it('is another one where it is of other copies, or comes twice', async () => {
    await send(printing);
    for (const by of [{ copies: 2, pages: true }, withSheets]) {
      expect(await send(by)).toEqual({ ok: false, problem: { kind: 'cancelled' } });
    }
    expect(steps).toEqual([act(1), 'bytes']);
  });
});
