import { describe, expect, it } from '@jest/globals';
import type { TransportResponse } from '@caregate/api-client';
import fc from '@caregate/seeded';
import catalogue from '../../renderer/text/en.json' with { type: 'json' };
import { accessProblem } from '../service/service-problem.ts';
import { AuditDesk } from './audit-desk.ts';

const userId = '11111111-1111-4111-8111-111111111111';
const event = {
  record_id: 'c0ffee'.padEnd(32, '0'),
  salt: 'c2FsdA==',
  patients: [userId],
  occurred_at: '2026-11-22T09:41:52.000000Z',
  actor: { type: 'staff', id: 's-1', name: 'Priya Raman', role: 'front_desk' },
  session_id: null,
  device: { id: 'd-1', name: 'Desk 1' },
  body: { operation: 'latestInsurance', decision: 'allowed', details: { as_of: 3 } },
};

const answer = (
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): TransportResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A desk whose requests get these answers, one after another. */
function deskOf(...answers: (TransportResponse | undefined)[]) {
  const asked: string[] = [];
  const files: Record<string, string> = {};
  const parts: ConstructorParameters<typeof AuditDesk>[0] = {
    request: ({ method, path, body }) => {
      asked.push([method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '));
      return Promise.resolve(answers.shift());
    },
    problemOf: (refused) => ({ ok: false, problem: accessProblem(refused, Date.now()) }),
    save: async (name, make) => {
      let file = '';
      for await (const part of make()) file += part;
      files[name] = file;
      return true;
    },
  };
  return { desk: new AuditDesk(parts), parts, asked, files };
}

describe('the accesses', () => {
  it('have names, the desk and the record, and the id of the answer', async () => {
    const { desk, asked } = deskOf(
      answer({ events: [event], next_cursor: 'n' }, { 'x-audit-record-id': 'r-1' }),
    );
    const found = await desk.events({
      call: 'c',
      patient: userId.toUpperCase(),
      from: '2026-11-01',
    });
    expect(asked).toEqual([`GET /audit/events?patient=${userId}&from=2026-11-01`]);
    expect(found).toMatchObject({
      ok: true,
      value: {
        auditId: 'r-1',
        value: {
          nextCursor: 'n',
          rows: [
            {
              recordId: event.record_id,
              actor: { name: 'Priya Raman', role: 'front_desk' },
              desk: 'Desk 1',
              operation: 'latestInsurance',
              decision: 'allowed',
              emergency: false,
              patients: [userId],
              details: [{ name: 'as_of', value: '3' }],
            },
          ],
        },
      },
    });
  });

  it('of what was scanned are asked for by the id of the clinic, of a member of staff by theirs', async () => {
    const { desk, asked } = deskOf(answer({ events: [] }), answer({ events: [] }));
    await desk.events({ call: 'c', patient: 'MRN-000101 &x=1', cursor: 'next' });
    await desk.events({ call: 'c', actor: 's-1' });
    expect(asked).toEqual([
      'GET /audit/events?client_user_id=MRN-000101+%26x%3D1&cursor=next',
      'GET /audit/events?actor_id=s-1',
    ]);
  });

  it('of an audit number are the answer and each paper made of it, whenever that was', async () => {
    const record = event.record_id;
    const of = (operation: string, details: object, id: string): object => ({
      ...{ ...event, record_id: id },
      body: { ...event.body, operation, details },
    });
    const print = { kind: 'print', document: 'insurance' };
    const { desk, asked } = deskOf(
      answer({ events: [event] }),
      answer({
        ...{ next_cursor: 'more' },
        events: [
          of('recordDeskEvent', { ...print, records: `x ${record}` }, 'second'),
          of('recordDeskEvent', { ...print, records: 'y' }, 'anothers'),
        ],
      }),
      answer({ events: [of('recordDeskEvent', { ...print, records: record }, 'first')] }),
    );
    const found = await desk.events({
      call: 'c',
      patient: record.toUpperCase(),
      from: '2026-11-01',
    });
    const rows = [{ recordId: 'second' }, { recordId: 'first' }, { recordId: record }];
    expect(found).toMatchObject({ ok: true, value: { value: { rows } } });
    const prints = `operation=recordDeskEvent&patient=${userId}&from=${encodeURIComponent(event.occurred_at)}`;
    expect(asked).toEqual([
      `GET /audit/events?record=${record}`,
      `GET /audit/events?${prints}`,
      `GET /audit/events?${prints}&cursor=more`,
    ]);
  });

  it('of a client id that looks like an audit number are asked for by it where there is no such record', async () => {
    const id = 'ab'.repeat(16);
    const { desk, asked } = deskOf(answer({ events: [] }), answer({ user_id: userId, events: [] }));
    const found = await desk.events({ call: 'c', patient: id, from: '2026-11-01' });
    expect(found).toMatchObject({ ok: true, value: { value: { userId } } });
    expect(asked).toEqual([
      `GET /audit/events?record=${id}`,
      `GET /audit/events?client_user_id=${id}&from=2026-11-01`,
    ]);
  });

  it('of a client id say whose it is', async () => {
    const { desk } = deskOf(answer({ user_id: userId, events: [] }));
    const found = await desk.events({ call: 'c', patient: 'MRN-000101' });
    expect(found).toMatchObject({ ok: true, value: { value: { userId, rows: [] } } });
  });

  it.each([
    [undefined, 'offline'],
    [answer({ title: 'No' }, {}, 403), 'forbidden'],
    [answer('<html>'), 'serverBroken'],
    [answer({ events: 'none' }), 'serverBroken'],
    [answer({ events: [{ ...event, occurred_at: 7 }] }), 'serverBroken'],
  ])('that do not come say why: %#', async (came, kind) => {
    const { desk } = deskOf(came);
    expect(await desk.events({ call: 'c' })).toMatchObject({ ok: false, problem: { kind } });
  });

  it('are of the shape of the bridge or refused, whatever is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.constantFrom('events', 'alarms'), async (body, which) => {
        const { desk } = deskOf(answer(body));
        const found = await desk[which]({ call: 'c' });
        expect(found.ok || found.problem.kind === 'serverBroken').toBe(true);
      }),
    );
  });

  it('that were cancelled are not shown when they come', async () => {
    let give = (): void => undefined;
    const desk = new AuditDesk({
      request: () =>
        new Promise((resolve) => {
          give = () => {
            resolve(answer({ events: [event] }));
          };
        }),
      problemOf: () => ({ ok: false, problem: { kind: 'serverBroken' } }),
      save: () => Promise.resolve(true),
    });
    const found = desk.events({ call: 'mine' });
    desk.cancel('another');
    desk.cancel('mine');
    give();
    expect(await found).toEqual({ ok: false, problem: { kind: 'cancelled' } });
  });
});

describe('an export', () => {
  it('is one file of all parts, and says how many records it has', async () => {
    const { desk, asked, files } = deskOf(
      answer('head\r\none\r\ntwo\r\n', { 'x-next-cursor': 'second' }),
      answer('three\r\n'),
    );
    const done = await desk.export({ call: 'c', format: 'csv', patient: userId });
    expect(done).toEqual({ ok: true, value: { saved: true, records: 3 } });
    expect(files).toEqual({ 'audit-events.csv': 'head\r\none\r\ntwo\r\nthree\r\n' });
    expect(asked[1]).toContain('cursor=second');
  });

  it('that is cancelled between two parts asks for no other, and is not written', async () => {
    const next = { 'x-next-cursor': 'second' };
    const { parts, asked } = deskOf(answer('{}\n', next), answer('{}\n'));
    let written = '';
    const cancelling = new AuditDesk({
      ...parts,
      save: async (_name, make) => {
        for await (const part of make()) {
          written += part;
          cancelling.cancel('c');
        }
        return true;
      },
    });
    const done = await cancelling.export({ call: 'c', format: 'fhir' });
    expect(done).toEqual({ ok: false, problem: { kind: 'cancelled' } });
    expect([written, asked.length]).toEqual(['{}\n', 1]);
  });

  it('of which a part does not come is not written at all', async () => {
    const { desk, files } = deskOf(answer('{}\n', { 'x-next-cursor': 'second' }), undefined);
    const done = await desk.export({ call: 'c', format: 'fhir' });
    expect(done).toEqual({ ok: false, problem: { kind: 'offline' } });
    expect(files).toEqual({});
  });
});

describe('a review', () => {
  it('is sent with its outcome and its note', async () => {
    const { desk, asked } = deskOf(answer({}));
    await desk.review({ call: 'c', breakGlassId: 'a/b', outcome: 'not_justified', note: 'No' });
    expect(asked).toEqual([
      'POST /access/break-glass/a%2Fb/review {"outcome":"not_justified","note":"No"}',
    ]);
  });
});

describe('the emergency accesses', () => {
  it.each([
    ['Ada Example', { reviewed_by: 's-9', reviewed_by_name: 'Ada Example' }],
    ['by hand', { reviewed_by: 'by hand' }],
  ])('say by name who reviewed them: %s', async (reviewedBy, review) => {
    const at = '2026-11-22T09:41:52.000Z';
    const times = { granted_at: at, expires_at: at, review_due_at: at, reviewed_at: at };
    const { desk, asked } = deskOf(
      answer({
        grants: [{ break_glass_id: 'g', user_id: userId, ...times, ...review }],
        next_cursor: 'g',
      }),
    );
    const found = await desk.grants({ call: 'c', state: 'all', cursor: 'f' });
    const page = { grants: [{ reviewedBy }], nextCursor: 'g' };
    expect(found).toMatchObject({ ok: true, value: { value: page } });
    expect(asked).toEqual(['GET /access/break-glass?state=all&cursor=f']);
  });
});

describe('the state of the log', () => {
  const state = {
    log_id: 'a1b2c3d4e5f6',
    accepts_records: true,
    checkpoint: { size: 9, root: 'cm9vdA==', note: 'caregate\n9\n' },
    verified: { at: '2026-11-22T09:46:00.000Z', from: 4, to: 9, consistent: false },
    witnessing: null,
  };

  it('says that it is not what it was', async () => {
    const { desk } = deskOf(answer(state));
    expect(await desk.logState({ call: 'c' })).toMatchObject({
      ok: true,
      value: { size: 9, from: 4, consistent: false, acceptsRecords: true },
    });
  });

  it('without a number of records is no state', async () => {
    const { desk } = deskOf(answer({ ...state, checkpoint: {} }));
    expect(await desk.logState({ call: 'c' })).toMatchObject({ ok: false });
  });
});

describe('the words of an auditor', () => {
  const en: Readonly<Record<string, string>> = catalogue;
  it.each([
    ...[
      'records',
      'people',
      'misses',
      'grants',
      'unreviewed',
      'freeBytes',
      'totalBytes',
      'seconds',
    ],
    ...['witness', 'staff_id', 'reason_code'],
  ])('name the detail %s of an alarm', (name) => {
    expect(en[`audit.detail.${name}`]).toMatch(/^\p{Lu}/u);
  });
});
