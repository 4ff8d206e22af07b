import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { all, API_KEY, getFailure, USER_ID } from '../../testing/setup.ts';
import { TestServer } from '../../testing/test-server.ts';
import * as service from './service.ts';
import type { ServiceConnection } from './service.ts';

const id = '5d1f7c7e-4a0b-4b53-9a76-0a1f0d3c2b18';
const record = 'ab'.repeat(16);
const event = { kind: 'print', document: 'lab_report', record_ids: [record], pages: 2 } as const;
const session = { session_id: id, staff: {}, desk: {} };
const desk = { desk_id: id };
const reason = { reason_code: 'other', text: 'why', user_id: USER_ID };
const review = { outcome: 'justified', note: 'seen' } as const;

type Name = Exclude<service.ServiceOperationName, 'request'>;
type Call = (to: ServiceConnection, body?: object) => Promise<unknown>;
/** Calls with other arguments than the request's body. */
const calls: Readonly<Partial<Record<Name, Call>>> = {
  unlockSession: (to) => service.unlockSession(to, '290517'),
  setPin: (to) => service.setPin(to, '290517'),
  listBreakGlass: (to) => service.listBreakGlass(to, { state: 'all' }),
  reviewBreakGlass: (to) => service.reviewBreakGlass(to, id, review),
  endBreakGlass: (to) => service.endBreakGlass(to, id),
  listAuditEvents: (to) =>
    service.listAuditEvents(to, { actorId: id, decision: 'allowed', from: '2026-01-01' }),
  listDisclosures: (to) =>
    service.listDisclosures(to, USER_ID, { startDate: '2026-01-01', limit: 7 }),
  exportAuditEvents: (to) => service.exportAuditEvents(to, { format: 'csv', patient: USER_ID }),
};
/** Each operation with its request line, response and request body. */
const cases: Readonly<Record<Name, readonly [sent: string, answer: unknown, body?: object]>> = {
  signInInfo: ['GET /access/sign-in', { pin: {} }],
  enrolDesk: ['POST /access/desks', { desk_id: id }, { code: 'K7QM-4XR2TD' }],
  offerDeskKey: ['POST /access/desks/key', undefined, { ...desk, proof: 'e30.e30.AA' }],
  beginSession: ['POST /access/sessions', session, { ...desk, id_token: 'e30', nonce_random: 'r' }],
  readBadge: ['POST /access/badges', { staff_id: id, name: 'Ines' }, { ...desk, badge: '7' }],
  renewSession: ['POST /access/sessions/current/renew', session],
  lockSession: ['POST /access/sessions/current/lock', undefined],
  unlockSession: ['POST /access/sessions/current/unlock', session, { pin: '290517' }],
  setPin: ['PUT /access/sessions/current/pin', undefined, { pin: '290517' }],
  endSession: ['DELETE /access/sessions/current', undefined],
  me: ['GET /access/me', { role: 'auditor', permissions: {} }],
  askBreakGlass: ['POST /access/break-glass', { break_glass_id: id }, reason],
  listBreakGlass: ['GET /access/break-glass?state=all', { grants: [] }],
  reviewBreakGlass: [`POST /access/break-glass/${id}/review`, { break_glass_id: id }, review],
  endBreakGlass: [`DELETE /access/break-glass/${id}`, undefined],
  listAuditEvents: [
    `GET /audit/events?actor_id=${id}&decision=allowed&from=2026-01-01`,
    { events: [], next_cursor: null },
  ],
  listAuditAlarms: ['GET /audit/alarms', { events: [] }],
  listDisclosures: [
    `GET /audit/patients/${USER_ID}/disclosures?start_date=2026-01-01&limit=7`,
    { disclosures: [] },
  ],
  recordDeskEvent: ['POST /audit/desk-events', { record_id: record }, event],
  exportAuditEvents: [`GET /audit/export?format=csv&patient=${USER_ID}`, 'a,b\r\n'],
  auditLogState: ['GET /audit/log', { log_id: 'a', checkpoint: {}, verified: {} }],
  auditCheckpoint: ['GET /audit/checkpoint', 'host/audit/1\n'],
  auditKey: ['GET /audit/key', 'host+key\n'],
};
const texts: Readonly<Record<string, string>> = {
  exportAuditEvents: 'text/csv; charset=utf-8',
  auditCheckpoint: 'text/plain; charset=utf-8',
  auditKey: 'text/plain; charset=utf-8',
};

const server = await TestServer.forSpec();
const connection = service.connectService({
  ...{ baseUrl: `${server.url}/prefix`, apiKey: API_KEY, retries: { baseMs: 0 } },
});

describe('the operations of access and audit', () => {
  let got: { line: string; headers: IncomingHttpHeaders; body: string }[];
  beforeEach(() => {
    got = [];
  });

  /** Sets the responses, in turn; the last one is repeated. */
  function answers(
    ...these: { status: number; type?: string; body?: string; headers?: object }[]
  ): void {
    server.answer = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        got.push({
          line: `${String(request.method)} ${String(request.url)}`,
          headers: request.headers,
          body,
        });
        const answer = these[Math.min(got.length, these.length) - 1]!;
        const type = answer.type === undefined ? {} : { 'content-type': answer.type };
        response.writeHead(answer.status, { ...type, ...answer.headers }).end(answer.body);
      });
    };
  }

  it.each(Object.entries(cases))('%s', async (name, [sent, answer, body]) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    answers(
      answer === undefined
        ? { status: 204 }
        : {
            status: sent.startsWith('POST') ? 201 : 200,
            type: texts[name] ?? 'application/json',
            body: text,
          },
    );
    const call = calls[name as Name] ?? (service as unknown as Record<string, Call>)[name]!;
    expect(await call(connection, body)).toEqual(answer);
    const [method, path] = sent.split(' ');
    expect(got.map(({ line }) => line)).toEqual([`${String(method)} /prefix${String(path)}`]);
    const [{ headers, body: sentBody }] = got as [(typeof got)[number]];
    expect(headers['x-service-api-key']).toBe(API_KEY);
    expect(sentBody === '' ? undefined : JSON.parse(sentBody)).toEqual(body);
    expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
  });

  it('retries reads, and sends what changes something once', async () => {
    const busy = { status: 503, type: 'application/json', body: '{}' };
    answers(busy, { status: 200, type: 'application/json', body: '{"events":[]}' });
    await service.listAuditEvents(connection);
    expect(got).toHaveLength(2);
    got = [];
    answers(busy);
    const failure = await getFailure(
      service.recordDeskEvent(connection, { ...event, record_ids: [record] }),
    );
    expect([got.length, failure.name]).toEqual([1, 'ServerError']);
  });

  it.each([
    [{ status: 200, type: 'text/html', body: '<p>' }, 'instead of JSON'],
    [{ status: 200, type: 'application/json', body: '{}' }, 'has no array "disclosures"'],
    [{ status: 302, headers: { location: '/x' } }, 'a redirect'],
    [{ status: 204 }, 'status 204'],
  ])('refuses %j', async (answer, message) => {
    answers(answer);
    const failure = await getFailure(service.listDisclosures(connection, USER_ID));
    expect([failure.name, failure.message]).toEqual([
      'InvalidResponseError',
      expect.stringContaining(message),
    ]);
    expect(failure.message).not.toContain(USER_ID);
  });

  it('goes through all pages, and stops where a cursor repeats', async () => {
    const page = (disclosures: number[], next: string | null): Parameters<typeof answers>[0] => ({
      ...{ status: 200, type: 'application/json' },
      body: JSON.stringify({ disclosures, next_cursor: next }),
    });
    answers(page([1, 2], 'a'), page([], 'b'), page([3], null));
    expect(await all(service.eachDisclosure(connection, USER_ID))).toEqual([1, 2, 3]);
    expect(got.map(({ line }) => line.split('?')[1])).toEqual([undefined, 'cursor=a', 'cursor=b']);
    got = [];
    answers(page([1], 'a'));
    const failure = await getFailure(all(service.eachDisclosure(connection, USER_ID)));
    expect([failure.message, got.length]).toEqual([expect.stringContaining('repeats a cursor'), 2]);
    got = [];
    const csv = { status: 200, type: 'text/csv' };
    answers(
      { ...csv, body: 'a\r\n', headers: { 'x-next-cursor': 'c' } },
      { ...csv, body: 'b\r\n' },
    );
    expect((await all(service.eachExportPart(connection, { format: 'csv' }))).join('')).toBe(
      'a\r\nb\r\n',
    );
    expect(got[1]!.line).toContain('cursor=c');
  });

  it('refuses an id that is none before anything is sent', async () => {
    answers({ status: 500 });
    for (const bad of ['', '.', '..']) {
      expect((await getFailure(service.listDisclosures(connection, bad))).name).toBe(
        'InvalidArgumentError',
      );
    }
    expect(got).toEqual([]);
  });

  describe('request', () => {
    const path = '/v2/user/{user_id}/devices';

    it('asks any address with ids, query and body, and is refused as all else is', async () => {
      answers({ status: 201, type: 'application/json', body: '{"n":1}' }, { status: 204 });
      const ids = { user_id: 'a/b' };
      const operation = {
        method: 'POST',
        path,
        ids,
        query: { pageSize: 2 },
        body: { name: 'ring' },
      } as const;
      expect(await service.request(connection, operation)).toEqual({ n: 1 });
      expect(got[0]!.line).toBe('POST /prefix/v2/user/a%2Fb/devices?page_size=2');
      expect(got[0]!.body).toBe('{"name":"ring"}');
      expect(await service.request(connection, { method: 'DELETE', path, ids })).toBeUndefined();
      answers({ status: 404, type: 'application/json', body: '{}' });
      const failure = await getFailure(service.request(connection, { method: 'GET', path, ids }));
      expect([failure.name, failure.route]).toEqual(['NotFoundError', `GET ${path}`]);
    });

    it('retries a GET alone, and refuses what its check does', async () => {
      const ids = { user_id: USER_ID };
      const busy = { status: 503, type: 'application/json', body: '{}' };
      answers(busy, { status: 200, type: 'application/json', body: '{}' });
      const check = (body: unknown): string | undefined =>
        Array.isArray(body) ? undefined : 'response is no list';
      const failure = await getFailure(
        service.request(connection, { method: 'GET', path, ids, check }),
      );
      expect([got.length, failure.name, failure.message]).toEqual([
        ...[2, 'InvalidResponseError', `GET ${path}: response is no list`],
      ]);
      got = [];
      answers(busy);
      await getFailure(service.request(connection, { method: 'PUT', path, ids }));
      expect(got).toHaveLength(1);
    });
  });
});
