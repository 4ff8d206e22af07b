import { expect, it } from '@jest/globals';
import type { DeskAction } from './desk-recorder.ts';
import { saveRecorded } from './save-recorded.ts';

const act: DeskAction = { kind: 'export', document: 'insurance', recordIds: ['r'] };

function deskOf(given: { refused?: boolean; chosen?: boolean; locksAt?: number } = {}) {
  const did: string[] = [];
  let asked = 0;
  const save = () =>
    saveRecorded({ name: 'caregate-insurance.pdf', content: () => 'page' }, act, {
      isOpen: () => (asked += 1) <= (given.locksAt ?? Infinity),
      record: ({ kind, document, recordIds }) => {
        did.push(`record ${kind} ${document} ${recordIds.join(' ')}`);
        return Promise.resolve(given.refused === true ? ({ kind: 'offline' } as const) : undefined);
      },
      save: async (name, make) => {
        did.push(`ask ${name}`);
        if (given.chosen === false) return false;
        did.push(`write ${await make()}`);
        return true;
      },
    });
  return { did, save };
}

it('records a file after it is chosen and before it is written', async () => {
  const { did, save } = deskOf();
  expect(await save()).toEqual({ ok: true, value: { saved: true } });
  expect(did).toEqual(['ask caregate-insurance.pdf', 'record export insurance r', 'write page']);
});

it('writes nothing if the record fails', async () => {
  const { did, save } = deskOf({ refused: true });
  expect(await save()).toEqual({ ok: false, problem: { kind: 'offline' } });
  expect(did.some((one) => one.startsWith('write'))).toBe(false);
});

it('records nothing if the user cancels', async () => {
  const { did, save } = deskOf({ chosen: false });
  expect(await save()).toEqual({ ok: true, value: { saved: false } });
  expect(did).toEqual(['ask caregate-insurance.pdf']);
});

it.each([0, 1])('writes nothing if the desk was locked in the meantime', async (locksAt) => {
  const { did, save } = deskOf({ locksAt });
  expect(await save()).toEqual({ ok: false, problem: { kind: 'locked' } });
  expect(did.some((one) => one.startsWith('write'))).toBe(false);
});
