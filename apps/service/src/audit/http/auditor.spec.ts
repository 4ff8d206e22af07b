import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SelfVerification } from '../self-verification.ts';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { AuditLogState } from '@caregate/domain';
import { connect } from 'node:net';
import {
  canonicalize,
  leafHash,
  verifyInclusion,
  verifyConsistency,
} from '@caregate/audit-log/testing';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { VerifierKey } from '@caregate/audit-log';
import { bodiesIn, editLog } from '../record/records.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 4 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const resultPath = `/v3/order/${order.order_id}/result`;

interface Event {
  readonly record_id: string;
  readonly salt: string;
  readonly patients: string[];
  readonly body: Record<string, unknown>;
}
interface Page {
  readonly events: Event[];
  readonly next_cursor: string | null;
}

let service: TestService;
let auditor: string;
let otherAuditor: string;
let clinician: { key: string; keyId: string };

beforeAll(async () => {
  service = await testService(envelopes);
  auditor = await service.key(sampleTeamId, 'auditor');
  otherAuditor = await service.key(otherTeamId, 'auditor');
  const { keys } = service.access;
  clinician = await keys.create({ teamId: sampleTeamId, role: 'clinician', label: 'x' });
  const other = await service.key(otherTeamId);
  for (let turn = 0; turn < 130; turn += 1) {
    await service.get(resultPath, clinician.key);
    await service.get('/v2/user?limit=1', other);
  }
  await service.get('/v2/user?limit=2', clinician.key);
  await service.get('/audit/events', clinician.key);
});
afterAll(async () => {
  await service.close();
});

async function page(path: string, key = auditor): Promise<Page> {
  const answer = await service.get(path, key);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json() as Page;
}

async function all(query: string, key = auditor): Promise<Event[]> {
  const events: Event[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const next = `/audit/events?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const got: Page = await page(next, key);
    events.push(...got.events);
    cursor = got.next_cursor;
  }
  return events;
}

describe('the events', () => {
  it('are the own team’s alone, newest first, each once over the pages', async () => {
    const events = await all('operation=labOrderResult');
    expect(events).toHaveLength(130);
    const times = events.map(({ body }) => Number(body['recorded_at_us']));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set(events.map(({ record_id: id }) => id)).size).toBe(130);
    expect(new Set(events.map(({ body }) => body['team_id']))).toEqual(new Set([sampleTeamId]));
    expect(await all('operation=labOrderResult', otherAuditor)).toEqual([]);
    expect(await all('operation=listUsers', otherAuditor)).toHaveLength(130);
  });

  it('are found by patient, actor, decision and time', async () => {
    const seen = await all(`patient=${order.user_id.toUpperCase()}&operation=labOrderResult`);
    expect(seen).toHaveLength(130);
    const listed = await all('operation=listUsers');
    const byPatient = await all(`patient=${listed[0]!.patients[0]!}&operation=listUsers`);
    expect(byPatient.map(({ record_id: id }) => id)).toEqual([listed[0]!.record_id]);
    expect(await all(`actor_id=${clinician.keyId}`)).toHaveLength(132);
    const denied = await all('decision=denied');
    expect(denied.map(({ body }) => body['operation'])).toEqual(['listAuditEvents']);
    const now = new Date().toISOString();
    expect(await all(`operation=labOrderResult&from=${now}`)).toEqual([]);
    expect(await all(`operation=labOrderResult&to=${now}`)).toHaveLength(130);
    expect(await all('operation=labOrderResult&to=2020-01-01')).toEqual([]);
  });

  it('keep to the log as it was at the first page', async () => {
    const first = await page('/audit/events');
    await service.get(resultPath, clinician.key);
    const second = await page(`/audit/events?cursor=${first.next_cursor!}`);
    const ids = [...first.events, ...second.events].map(({ record_id: id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const [newest] = (await page('/audit/events')).events;
    expect(ids).not.toContain(newest!.record_id);
  });

  it('give a cursor that is good for its query and team alone', async () => {
    const { next_cursor: cursor } = await page('/audit/events');
    for (const [path, key] of [
      [`/audit/events?cursor=${cursor!}&decision=allowed`, auditor],
      [`/audit/events?cursor=${cursor!}`, otherAuditor],
      [`/audit/alarms?cursor=${cursor!}`, auditor],
      [`/audit/events?cursor=${cursor!.slice(0, -1)}`, auditor],
      ['/audit/events?cursor=', auditor],
    ] as const) {
      expect((await service.get(path, key)).status).toBe(422);
    }
  });

  it('are read under a record of their own, with the patient that was asked for', async () => {
    await page(`/audit/events?patient=${order.user_id}`);
    const [read] = await all('operation=listAuditEvents');
    expect(read!.body).toMatchObject({
      data_category: 'audit',
      decision: 'allowed',
      role: 'auditor',
      patients: [],
      details: { patient: order.user_id },
    });
  });

  it.each([
    'patient=x',
    'actor_id=x',
    'decision=x',
    'from=x',
    'to=x',
    'limit=1',
    'from=2026-02-01&to=2026-01-01',
  ])('refuse %s', async (query) => {
    expect((await service.get(`/audit/events?${query}`, auditor)).status).toBe(422);
  });
});

describe('what proves the log', () => {
  it('holds from outside: key, checkpoint, record, growth', async () => {
    const key = VerifierKey.parse((await service.get('/audit/key', auditor)).body);
    const early = await service.get('/audit/checkpoint', auditor);
    expect(early.headers['content-type']).toBe('text/plain; charset=utf-8');
    const before = key.open(early.body);
    const [event] = await all('operation=labOrderResult');

    const of = `record=${event!.record_id}&size=${before.size}`;
    const inclusion = (await service.get(`/audit/proof?${of}`, auditor)).json() as {
      seq: number;
      leaf_hash: string;
      proof: string[];
    };
    const hashed = canonicalize(event!.body);
    const leaf = leafHash(Buffer.from(event!.salt, 'base64'), Buffer.from(String(hashed)));
    expect(inclusion.leaf_hash).toBe(leaf.toString('base64'));
    const path = inclusion.proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(verifyInclusion(leaf, inclusion.seq, before.size, path, before.root)).toBe(true);
    const bySeq = await service.get(
      `/audit/proof?seq=${inclusion.seq}&size=${before.size}`,
      auditor,
    );
    expect(bySeq.json()).toMatchObject({ seq: inclusion.seq, leaf_hash: inclusion.leaf_hash });

    const growth = (await service.get(`/audit/proof?from=${before.size}`, auditor)).json() as {
      to: number;
      proof: string[];
      checkpoint: string;
    };
    const after = key.open(growth.checkpoint);
    expect(after.size).toBe(growth.to);
    const steps = growth.proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(verifyConsistency(before.size, after.size, steps, before.root, after.root)).toBe(true);
  });

  it.each([
    '',
    'seq=999999999',
    'seq=-1',
    'seq=0&from=1',
    'to=3',
    'seq=0&size=999999999',
    'from=9&to=3',
    'seq=3&size=3',
  ])('is not made of ?%s', async (query) => {
    expect((await service.get(`/audit/proof?${query}`, auditor)).status).toBe(422);
  });
});

describe('a log that was changed in its file', () => {
  it('gives no proof, is not consistent in its state, and is an alarm', async () => {
    const own = await testService(envelopes);
    try {
      const key = await own.key(sampleTeamId, 'auditor');
      for (let turn = 0; turn < 8; turn += 1) {
        await own.get('/audit/log', key);
      }
      editLog(
        own.folder,
        `update audit_record set body = replace(body, 'auditLogState', 'auditLogStats') where seq = 3`,
      );
      const answer = await own.get('/audit/proof?seq=3', key);
      expect(answer.status).toBe(500);
      expect(answer.body).not.toContain('proof');
      const isAlarmed = (times: number) => (): boolean =>
        operationsOf(own).filter((one) => one === 'proofFailed').length >= times;
      await until(isAlarmed(1));
      const state = (await own.get('/audit/log', key)).json() as AuditLogState;
      expect(state.verified.consistent).toBe(false);
      await until(isAlarmed(2));
      await own.app.get(SelfVerification, { strict: false }).turn();
      await until(isAlarmed(3));
      expect((await own.get('/audit/log', key)).json()).toMatchObject({
        verified_whole: { intact: false },
      });
      expect((await own.metrics()).body).toMatch(/^caregate_audit_intact 0$/mu);
      expect(own.log.join('')).toContain('the audit log is broken');
      // A list that must be complete is an error, too.
      expect((await own.get('/audit/alarms', key)).status).toBe(500);
    } finally {
      await own.close();
    }
  });
});

describe('a log that lost records in the middle while it is served', () => {
  it('shows no page, no export and no list with less, but an error, and an alarm', async () => {
    const own = await testService(envelopes);
    try {
      const key = await own.key(sampleTeamId, 'auditor');
      for (let turn = 0; turn < 8; turn += 1) {
        await own.get('/v2/user', await own.key(sampleTeamId));
      }
      const paths = ['/audit/events', '/audit/export?format=csv', '/audit/export?format=fhir'];
      for (const path of paths) {
        expect([path, (await own.get(path, key)).status]).toEqual([path, 200]);
      }
      editLog(
        own.folder,
        'create table taken as select * from audit_record where seq = 4; delete from audit_record where seq = 4',
      );
      for (const path of paths) {
        expect([path, (await own.get(path, key)).status]).toEqual([path, 500]);
      }
      editLog(own.folder, 'insert into audit_record select * from taken; drop table taken');
      await until(() => operationsOf(own).includes('proofFailed'));
      expect((await own.get('/audit/events', key)).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

/** What the log of a service holds, of all teams and of none. */
function operationsOf({ folder }: TestService): unknown[] {
  return bodiesIn(folder).map(({ operation }) => operation);
}

describe('a request that the parser refuses', () => {
  it('is counted, as one of nobody', async () => {
    const own = await testService([]);
    const socket = connect(own.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
    await new Promise((resolve) => socket.on('close', resolve).resume());
    await own.get('/v2/user');
    await own.app.close();
    expect(bodiesIn(own.folder)).toContainEqual(
      expect.objectContaining({
        actor_type: 'anonymous',
        operation: 'none',
        reason_code: 'malformed_request',
        record_count: 1,
        details: expect.objectContaining({ client_prefix: '127.0.0.0/24' }) as unknown,
      }),
    );
    expect(bodiesIn(own.folder)).toContainEqual(
      expect.objectContaining({
        operation: 'listUsers',
        reason_code: 'unauthorized',
        record_count: 1,
      }),
    );
    await own.close().catch(() => undefined);
  });
});
