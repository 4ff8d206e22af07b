import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { ServiceClient } from '../service/service-client.ts';
import { ServiceSession } from '../service/service-session.ts';
import { AuditDesk } from './audit-desk.ts';
import { auditNumber, createPrintNumber } from './desk-recorder.ts';

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
): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
const part = (body: string, type: string, next?: string): Response =>
  answer(body, { 'content-type': type, ...(next !== undefined && { 'x-next-cursor': next }) });

/** Creates a desk that answers its requests with these answers in order; later requests never get an answer. */
function deskOf(...answers: (Response | Promise<Response>)[]) {
  const requests: string[] = [];
  const files: Record<string, string> = {};
  const client = new ServiceClient(
    'https://caregate.example',
    (url, { method, body }) => {
      const { pathname, search } = new URL(url);
      requests.push(
        [method, pathname + search, ...(typeof body === 'string' ? [body] : [])].join(' '),
      );
      return Promise.resolve(answers.shift() ?? Promise.reject(new TypeError('net::ERR_FAILED')));
    },
    () => ({}),
  );
  const save = async (name: string, make: () => AsyncIterable<string>): Promise<boolean> => {
    let file = '';
    for await (const text of make()) file += text;
    files[name] = file;
    return true;
  };
  return { desk: new AuditDesk(new ServiceSession(client)), requests, files, save };
}

describe('listAuditEvents', () => {
  it('returns names, desk, record, and the record ID of the answer', async () => {
    const { desk, requests } = deskOf(
      answer({ events: [event], next_cursor: 'n' }, { 'x-audit-record-id': 'r-1' }),
    );
    const found = await desk.listAuditEvents({
      patient: userId.toUpperCase(),
      from: '2026-11-01',
    });
    expect(requests).toEqual([`GET /audit/events?patient=${userId}&from=2026-11-01`]);
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

  it('filters by a scanned MRN', async () => {
    const { desk, requests } = deskOf(answer({ events: [] }));
    await desk.listAuditEvents({ patient: 'MRN-000101 &x=1', cursor: 'next' });
    expect(requests).toEqual([
      'GET /audit/events?client_user_id=MRN-000101%20%26x%3D1&cursor=next',
    ]);
  });

  it('returns only the record of an audit number', async () => {
    const { desk, requests } = deskOf(answer({ events: [event] }));
    const patient = event.record_id.toUpperCase();
    const found = await desk.listAuditEvents({ patient, from: '2026-11-01' });
    const rows = [{ recordId: event.record_id }];
    expect(found).toMatchObject({ ok: true, value: { value: { rows } } });
    expect(requests).toEqual([`GET /audit/events?record=${event.record_id}`]);
  });

  const madeAt = Date.UTC(2026, 10, 22, 9, 41);
  const window = 'from=2026-11-21T09%3A41%3A00.000Z&to=2026-11-30T09%3A41%3A00.000Z';
  const prints = `GET /audit/events?operation=recordDeskEvent&${window}`;

  it('returns only the print with the number on a page, and no other print of the same answer', async () => {
    const [number, other] = [createPrintNumber(madeAt), createPrintNumber(madeAt)];
    expect([number, other]).toEqual(expect.arrayContaining([expect.stringMatching(auditNumber)]));
    const of = (id: string, details: object): object => ({
      ...{ ...event, record_id: id },
      body: { operation: 'recordDeskEvent', decision: 'allowed', details },
    });
    const { desk, requests } = deskOf(
      answer({ events: [] }),
      answer({ events: [of('a', { number: other }), of('b', {})], next_cursor: 'more' }),
      answer({ events: [of('c', { number }), of('d', { number: other })] }),
    );
    const found = await desk.listAuditEvents({ patient: number.toUpperCase() });
    expect(found.ok && found.value.value.rows.map(({ recordId }) => recordId)).toEqual(['c']);
    expect(requests.slice(1)).toEqual([prints, `${prints}&cursor=more`]);
  });

  it.each([madeAt.toString(16).padStart(12, '0').padEnd(32, '7'), 'ab'.repeat(16)])(
    'of a client id that looks like an audit number are found by it where there is no such record: %s',
    async (id) => {
      const none = (): Response => answer({ events: [] });
      const { desk, requests } = deskOf(none(), none(), answer({ user_id: userId, events: [] }));
      const found = await desk.listAuditEvents({ patient: id, from: '2026-11-01' });
      expect(found).toMatchObject({ ok: true, value: { value: { userId } } });
      expect(requests[2]).toBe(`GET /audit/events?client_user_id=${id}&from=2026-11-01`);
    },
  );

  it.each([
    [[], 'offline'],
    [[answer({ title: 'No' }, {}, 403)], 'forbidden'],
    [[answer('<html>')], 'serverBroken'],
    [[answer({ events: 'none' })], 'serverBroken'],
    [[answer({ events: [{ ...event, occurred_at: 7 }] })], 'serverBroken'],
  ])('that do not come say why: %#', async (answers, kind) => {
    const { desk } = deskOf(...answers);
    expect(await desk.listAuditEvents({})).toMatchObject({
      ok: false,
      problem: { kind },
    });
  });

  it('returns a valid list or fails, whatever the service answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        const { desk } = deskOf(answer(body));
        const found = await desk.listAuditEvents({});
        expect(found.ok || found.problem.kind === 'serverBroken').toBe(true);
      }),
    );
  });

  it('ignores the answer of a cancelled read', async () => {
    let give = (_answer: Response): void => undefined;
    const { desk } = deskOf(new Promise((resolve) => (give = resolve)));
    const cancelling = new AbortController();
    const found = desk.listAuditEvents({}, cancelling.signal);
    cancelling.abort();
    give(answer({ events: [event] }));
    expect(await found).toEqual({ ok: false, problem: { kind: 'cancelled' } });
  });
});

describe('an export', () => {
  it('writes all pages into one file and returns the number of records', async () => {
    const { desk, requests, files, save } = deskOf(
      part('head\r\none\r\ntwo\r\n', 'text/csv', 'second'),
      part('three\r\n', 'text/csv'),
    );
    const done = await desk.exportAuditEvents({ patient: userId }, save);
    expect(done).toEqual({ ok: true, value: { saved: true, records: 3 } });
    expect(files).toEqual({ 'audit-events.csv': 'head\r\none\r\ntwo\r\nthree\r\n' });
    expect(requests[1]).toContain('cursor=second');
  });

  it('writes nothing if a page fails', async () => {
    const { desk, files, save } = deskOf(part('head\r\n', 'text/csv', 'second'));
    const done = await desk.exportAuditEvents({}, save);
    expect(done).toEqual({ ok: false, problem: { kind: 'offline' } });
    expect(files).toEqual({});
  });
});

describe('a review', () => {
  it('sends its outcome and note', async () => {
    const { desk, requests } = deskOf(answer({ break_glass_id: 'a/b' }));
    await desk.reviewBreakGlass({
      breakGlassId: 'a/b',
      outcome: 'not_justified',
      note: 'No',
    });
    expect(requests).toEqual([
      'POST /access/break-glass/a%2Fb/review {"outcome":"not_justified","note":"No"}',
    ]);
  });
});

describe('the emergency accesses', () => {
  it('are those without a review', async () => {
    const page = { grants: [], next_cursor: 'g' };
    const { desk, requests } = deskOf(answer(page));
    const found = await desk.listBreakGlass({ cursor: 'f' });
    expect(found).toMatchObject({ ok: true, value: { value: page } });
    expect(requests).toEqual(['GET /access/break-glass?state=open&cursor=f']);
  });
});

describe('the state of the log', () => {
  const state = {
    log_id: 'a1b2c3d4e5f6',
    ...{ verifier_key: 'caregate+1+key', opened_at: '2026-11-22T09:00:00.000Z' },
    accepts_records: true,
    checkpoint: { size: 9, root: 'cm9vdA==', note: 'caregate\n9\n' },
    verified: { at: '2026-11-22T09:46:00.000Z', from: 4, to: 9, consistent: false },
  };

  it('reports that the log was changed', async () => {
    const { desk } = deskOf(answer(state));
    expect(await desk.auditLogState({})).toMatchObject({
      ok: true,
      value: { value: { checkpoint: { size: 9 }, verified: { consistent: false } } },
    });
  });
});
