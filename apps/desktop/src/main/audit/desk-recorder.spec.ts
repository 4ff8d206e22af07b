import { describe, expect, it } from '@jest/globals';
import type { TransportResponse } from '@caregate/api-client';
import type { CopiedFrom } from '../../bridge/print.ts';
import { DeskRecorder } from './desk-recorder.ts';
import type { DeskAct } from './desk-recorder.ts';

type Answer = number | 'none';

function deskOf(known: readonly string[], status: Answer = 201) {
  const sent: unknown[] = [];
  const recorder = new DeskRecorder({
    request: (asked) => {
      sent.push(asked);
      const answer: TransportResponse = { status: Number(status), headers: {}, body: '' };
      return Promise.resolve(status === 'none' ? undefined : answer);
    },
    recordIds: () => new Set(known),
    problemOf: ({ status: code }) => ({ kind: code === 403 ? 'forbidden' : 'invalid' }),
  });
  return { recorder, sent };
}
const print = (...recordIds: string[]): DeskAct => ({
  kind: 'print',
  document: 'insurance',
  pages: 2,
  copies: 3,
  recordIds,
});
const copyOf = (...recordIds: string[]): CopiedFrom => ({ document: 'activity', recordIds });

it('sends what is done, with each record once', async () => {
  const { recorder, sent } = deskOf(['a', 'b']);
  expect(await recorder.record(print('a', 'b', 'a'))).toBeUndefined();
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/audit/desk-events',
      body: {
        kind: 'print',
        document: 'insurance',
        pages: 2,
        copies: 3,
        record_ids: ['a', 'b'],
      },
    },
  ]);
});

describe('nothing may be done', () => {
  it.each<[why: string, status: Answer, kind: string]>([
    ['the service was not reached', 'none', 'offline'],
    ['the role may not', 403, 'forbidden'],
    ['the records are not of such answers', 422, 'invalid'],
    ['the service is broken', 503, 'invalid'],
  ])('where %s', async (_why, status, kind) => {
    expect(await deskOf(['a'], status).recorder.record(print('a'))).toEqual({ kind });
    expect(await deskOf(['a'], status).recorder.recordCopy(copyOf('a'))).toEqual({ kind });
  });

  it('with a document of no answer, or of one that this person was not given', async () => {
    const { recorder, sent } = deskOf(['a']);
    for (const act of [print(), print('a', 'of somebody else')]) {
      expect(await recorder.record(act)).toEqual({ kind: 'refused' });
    }
    expect(sent).toEqual([]);
  });
});

describe('a service that keeps no such records', () => {
  it('has none to write: the desk goes on', async () => {
    const { recorder, sent } = deskOf([]);
    expect(await recorder.record(print())).toBeUndefined();
    expect(sent).toEqual([]);
    expect(await deskOf(['a'], 404).recorder.record(print('a'))).toBeUndefined();
  });

  it('is none that gives ids: what it was not told of is refused', async () => {
    expect(await deskOf([]).recorder.record(print('a'))).toEqual({ kind: 'refused' });
  });
});

it('records a copy with the answers that showed a person, and none of a screen without any', async () => {
  const { recorder, sent } = deskOf(['a']);
  expect(await recorder.recordCopy(copyOf('log', 'a'))).toBeUndefined();
  expect(sent).toMatchObject([{ body: { kind: 'copy', document: 'activity', record_ids: ['a'] } }]);
  expect(await recorder.recordCopy(copyOf('log'))).toBeUndefined();
  expect(sent).toHaveLength(1);
});
