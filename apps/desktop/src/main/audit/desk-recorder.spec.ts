import { describe, expect, it } from '@jest/globals';
import type { DeskEvent } from '@caregate/domain';
import type { CopiedFrom } from '../../shared/print.ts';
import { ServiceClient } from '../service/service-client.ts';
import { DeskRecorder } from './desk-recorder.ts';
import type { DeskAction } from './desk-recorder.ts';

type Answer = number | 'none';

function deskOf(known: readonly string[], status: Answer = 201) {
  const sent: unknown[] = [];
  const client = new ServiceClient(
    'https://caregate.example',
    (url, { method, body }) => {
      sent.push([method, new URL(url).pathname, JSON.parse(body as string)]);
      if (status === 'none') return Promise.reject(new TypeError('net::ERR_FAILED'));
      return Promise.resolve(Response.json({ record_id: 'r' }, { status }));
    },
    () => ({}),
  );
  const recorder = new DeskRecorder({
    call: (run) => client.call(run),
    getRecordIds: () => new Set(known),
  });
  return { recorder, sent };
}
const print = (...recordIds: string[]): DeskAction => ({
  kind: 'print',
  document: 'insurance',
  number: 'f'.repeat(32),
  pages: 2,
  copies: 3,
  recordIds,
});
const copyOf = (...recordIds: string[]): CopiedFrom => ({ document: 'insurance', recordIds });

it('sends an event with each record once', async () => {
  const { recorder, sent } = deskOf(['a', 'b']);
  expect(await recorder.record(print('a', 'b', 'a'))).toBeUndefined();
  expect(sent).toEqual([
    [
      ...['POST', '/audit/desk-events'],
      {
        ...{ kind: 'print', document: 'insurance', number: 'f'.repeat(32) },
        ...{ pages: 2, copies: 3, record_ids: ['a', 'b'] },
      },
    ],
  ]);
});

it('splits many records over several events, and fails unless all are recorded', async () => {
  const ids = Array.from({ length: 450 }, (_none, place) => String(place));
  const { recorder, sent } = deskOf(ids);
  expect(await recorder.record(print(...ids))).toBeUndefined();
  const named = sent.map((request) => (request as [string, string, DeskEvent])[2].record_ids);
  expect(named.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(named.flat()).toEqual(ids);
  expect(await deskOf(ids, 503).recorder.record(print(...ids))).toMatchObject({
    kind: 'serverBroken',
  });
});

describe('an event is refused', () => {
  it.each<[why: string, status: Answer, kind: string]>([
    ['the service was not reached', 'none', 'offline'],
    ['the role may not', 403, 'forbidden'],
    ['the records are not of such answers', 422, 'invalid'],
    ['the service is broken', 503, 'serverBroken'],
    ['the service answers as if it kept nothing', 202, 'serverBroken'],
  ])('where %s', async (_why, status, kind) => {
    expect(await deskOf(['a'], status).recorder.record(print('a'))).toMatchObject({ kind });
    expect(await deskOf(['a'], status).recorder.recordCopy(copyOf('a'))).toMatchObject({ kind });
  });

  it('for a document without answers, or with an answer from another session', async () => {
    const { recorder, sent } = deskOf(['a']);
    for (const act of [print(), print('a', 'of somebody else')]) {
      expect(await recorder.record(act)).toEqual({ kind: 'refused' });
    }
    expect(sent).toEqual([]);
  });
});

describe('a service without an audit log', () => {
  it('lets the desk print and copy', async () => {
    const { recorder, sent } = deskOf([]);
    expect(await recorder.record(print())).toBeUndefined();
    expect(sent).toEqual([]);
    expect(await deskOf(['a'], 404).recorder.record(print('a'))).toBeUndefined();
  });

  it('is known by answers without record IDs; an unknown record is refused', async () => {
    expect(await deskOf([]).recorder.record(print('a'))).toEqual({ kind: 'refused' });
  });
});

it('records a copy with the answers that showed a patient, and nothing for a screen without any', async () => {
  const { recorder, sent } = deskOf(['a']);
  expect(await recorder.recordCopy(copyOf('log', 'a'))).toBeUndefined();
  expect(sent).toMatchObject([
    ['POST', '/audit/desk-events', { kind: 'copy', document: 'insurance', record_ids: ['a'] }],
  ]);
  expect(await recorder.recordCopy(copyOf('log'))).toBeUndefined();
  expect(sent).toHaveLength(1);
});
