import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Problem } from '../../bridge/problem.ts';
import type { Held } from './held-prints.ts';
import { heldOf } from './held.testing.ts';
import { sendPrint } from './send-print.ts';

/** Everything that happened, in its order. */
let steps: unknown[];
let held: Held;
/** The answer of the log to each record. */
let recorded: Promise<Problem | undefined>;
let isWanted: boolean;
let spooled: boolean | undefined;

beforeEach(() => {
  steps = [];
  held = heldOf();
  recorded = Promise.resolve(undefined);
  isWanted = true;
  spooled = undefined;
});

const send = (wanted: { copies: number; pages: boolean }) =>
  sendPrint(held, wanted, {
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
});
const answer = (value: string) => ({ ok: true, value });
const printing = { copies: 1, pages: false };
const withSheets = { copies: 1, pages: true };

describe('a print whose bytes are handed over', () => {
  it.each([
    [true, 'sent'],
    [false, 'notSent'],
  ])('is recorded before; that they were taken is %s', async (taken, result) => {
    spooled = taken;
    expect(await send({ copies: 3, pages: false })).toEqual(answer(result));
    expect(steps).toEqual([act(3), 'bytes']);
  });

  it('isn’t made where it can’t be recorded, or where nobody wants it any more by then', async () => {
    recorded = Promise.resolve({ kind: 'offline' });
    expect(await send(printing)).toEqual({ ok: false, problem: { kind: 'offline' } });
    const answerLog = holdLog();
    const sending = send(printing);
    isWanted = false;
    answerLog();
    expect(await sending).toEqual(answer('notSent'));
    expect(steps).toEqual([act(1), act(1)]);
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

  it('isn’t made where nobody wants it any more once it is recorded', async () => {
    const answerLog = holdLog();
    const sending = send(withSheets);
    isWanted = false;
    answerLog();
    expect(await sending).toEqual(answer('notSent'));
    expect(steps).toEqual([act(1)]);
  });

  it('is recorded again where it is another one', async () => {
    await send(printing);
    await send({ copies: 2, pages: true });
    await send(printing);
    await send(withSheets);
    await send(withSheets);
    expect(steps.filter((step) => typeof step === 'object')).toEqual([
      ...[act(1), act(2), act(1), act(1)],
    ]);
  });
});
