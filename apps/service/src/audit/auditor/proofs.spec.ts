import { VerifierKey } from '@caregate/audit-log';
import {
  canonicalize,
  leafHash,
  verifyConsistency,
  verifyInclusion,
} from '@caregate/audit-log/testing';
import type { AuditEventsPage, AuditLogState } from '@caregate/domain';
import { validateAuditLogState } from '@caregate/domain/validate';
import { sampleTeamId } from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { testService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { auditEntry, bodiesIn, editLog } from '../records.testing.ts';
import { SelfVerification } from '../self-verification.ts';
import { openClinic, order } from './auditor.testing.ts';

const clinic = await openClinic();
for (let turn = 0; turn < 8; turn += 1) {
  await clinic.readResult();
}

const fromBase64 = (hashes: readonly string[]): Buffer[] =>
  hashes.map((hash) => Buffer.from(hash, 'base64'));
const getState = async (): Promise<AuditLogState> =>
  (await clinic.get('/audit/log')).json() as AuditLogState;
const verifyWhole = (): Promise<void> =>
  clinic.service.app.get(SelfVerification, { strict: false }).verify();
const countAlarms = (): number =>
  bodiesIn(clinic.service.folder).filter(({ operation }) => operation === 'proofFailed').length;

describe('the log', () => {
  it('can be proven by key, checkpoint, inclusion and consistency', async () => {
    const key = VerifierKey.parse((await clinic.get('/audit/key')).body);
    const early = await clinic.get('/audit/checkpoint');
    expect(early.headers['content-type']).toBe('text/plain; charset=utf-8');
    const before = key.open(early.body);
    const page = await clinic.get('/audit/events?operation=labOrderResult');
    const [event] = (page.json() as AuditEventsPage).events;

    const of = `record=${event!.record_id}&size=${before.size}`;
    const inclusion = (await clinic.get(`/audit/proof?${of}`)).json() as {
      seq: number;
      leaf_hash: string;
      proof: string[];
    };
    const body = Buffer.from(String(canonicalize(event!.body)));
    const leaf = leafHash(Buffer.from(event!.salt, 'base64'), body);
    expect(inclusion.leaf_hash).toBe(leaf.toString('base64'));
    const path = fromBase64(inclusion.proof);
    expect(verifyInclusion(leaf, inclusion.seq, before.size, path, before.root)).toBe(true);
    const bySeq = await clinic.get(`/audit/proof?seq=${inclusion.seq}&size=${before.size}`);
    expect(bySeq.json()).toMatchObject({ seq: inclusion.seq, leaf_hash: inclusion.leaf_hash });

    const growth = (await clinic.get(`/audit/proof?from=${before.size}`)).json() as {
      to: number;
      proof: string[];
      checkpoint: string;
    };
    const after = key.open(growth.checkpoint);
    expect(after.size).toBe(growth.to);
    const steps = fromBase64(growth.proof);
    expect(verifyConsistency(before.size, after.size, steps, before.root, after.root)).toBe(true);
  });

  it.each([
    ...['', 'seq=999999999', 'seq=-1', 'seq=0&from=1', 'to=3', 'seq=0&size=999999999'],
    ...['from=9&to=3', 'seq=3&size=3'],
  ])('has no proof for ?%s', async (query) => {
    expect((await clinic.get(`/audit/proof?${query}`)).status).toBe(422);
  });

  it('reports that its checkpoint extends the one of the start', async () => {
    const answer = await clinic.get('/audit/log');
    expect(validateAuditLogState(answer.json())).toMatchObject({ ok: true });
    const state = answer.json() as AuditLogState;
    const key = VerifierKey.parse(state.verifier_key);
    const { size, root } = key.open(state.checkpoint.note);
    expect(state).toMatchObject({
      log_id: key.name.split('/').at(-1),
      accepts_records: true,
      checkpoint: { size, root: root.toString('base64') },
      verified: { consistent: true, to: size },
      checkpoint_copy_failing: null,
    });
    expect(state.verified.from).toBeLessThan(size);
    expect((await getState()).checkpoint.size).toBeGreaterThan(size);
  });

  it('reports when it was verified completely', async () => {
    const { service } = clinic;
    // The columns must equal the body, even for unusual characters.
    const odd = { actor_id: '\ud800\0 "ü"', operation: 'a\0b\udc00', patients: [order.user_id] };
    await service.audit.record(auditEntry({ team_id: sampleTeamId, ...odd }));
    expect((await getState()).verified_whole).toBe(null);
    await verifyWhole();
    const at = expect.stringMatching(/^\d{4}-/u) as unknown;
    expect((await getState()).verified_whole).toEqual({ at, intact: true });
    const page = await clinic.get(`/audit/events?patient=${order.user_id}`);
    const [event] = (page.json() as AuditEventsPage).events;
    expect(event?.body['actor_id']).toBe('\ufffd\ufffd "ü"');
    const { body } = await service.metrics();
    expect(body).toMatch(/^caregate_audit_last_verified_seconds 1\d{9}/mu);
    expect(body).toMatch(/^caregate_audit_intact 1$/mu);
  });
});

// Runs last, since these tests damage the log.
describe('a log that is changed while it is served', () => {
  it('refuses pages, exports and lists if a record was deleted, and raises an alarm', async () => {
    const paths = ['/audit/events', '/audit/export?format=csv', '/audit/export?format=fhir'];
    const getStatuses = async (): Promise<number[]> =>
      (await Promise.all(paths.map((path) => clinic.get(path)))).map(({ status }) => status);
    expect(await getStatuses()).toEqual([200, 200, 200]);
    editLog(
      clinic.service.folder,
      'create table taken as select * from audit_record where seq = 4; delete from audit_record where seq = 4',
    );
    expect(await getStatuses()).toEqual([500, 500, 500]);
    editLog(
      clinic.service.folder,
      'insert into audit_record select * from taken; drop table taken',
    );
    await until(() => countAlarms() > 0);
    expect(await getStatuses()).toEqual([200, 200, 200]);
  });

  it('refuses proofs and lists with an altered record, and raises alarms', async () => {
    const { service } = clinic;
    editLog(
      service.folder,
      `update audit_record set body = replace(body, 'labOrderResult', 'labOrderResukt') where seq = 3`,
    );
    const raisesAlarm = async (act: () => Promise<unknown>): Promise<void> => {
      const before = countAlarms();
      await act();
      await until(() => countAlarms() > before);
    };
    await raisesAlarm(async () => {
      const answer = await clinic.get('/audit/proof?seq=3');
      expect([answer.status, answer.body]).toEqual([500, expect.not.stringContaining('proof"')]);
    });
    await raisesAlarm(async () => {
      expect((await getState()).verified.consistent).toBe(false);
    });
    await raisesAlarm(verifyWhole);
    expect(await getState()).toMatchObject({ verified_whole: { intact: false } });
    expect((await service.metrics()).body).toMatch(/^caregate_audit_intact 0$/mu);
    expect(service.log.join('')).toContain('the audit log is broken');
    expect((await clinic.get('/audit/alarms')).status).toBe(500);
  });
});

it('counts a request that the parser refuses as anonymous', async () => {
  const own = await testService([]);
  const socket = connect(own.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
  await new Promise((resolve) => socket.on('close', resolve).resume());
  await own.get('/v2/user');
  await own.app.close();
  expect(bodiesIn(own.folder)).toMatchObject([
    {
      ...{ actor_type: 'anonymous', operation: 'none', reason_code: 'malformed_request' },
      ...{ record_count: 1, details: { client_prefix: '127.0.0.0/24' } },
    },
    { operation: 'listUsers', reason_code: 'unauthorized', record_count: 1 },
  ]);
  await own.close();
});
