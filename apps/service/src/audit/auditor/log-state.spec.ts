import type { AuditEventsPage, AuditLogState } from '@caregate/domain';
import { validateAuditLogState } from '@caregate/domain/validate';
import { VerifierKey } from '@caregate/audit-log';
import { sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SelfVerification } from '../self-verification.ts';
import { auditEntry } from '../record/records.testing.ts';
import { openClinic, order, type Clinic } from './auditor.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';

describe.each(enginesOf('log-state'))('the state of the log, on %s', (engine) => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic(engine);
  });
  afterAll(async () => {
    await clinic.close();
  });

  it('has a checkpoint that verifies, and was verified to extend that of the start', async () => {
    await clinic.readResult();
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
    const later = (await clinic.get('/audit/log')).json() as AuditLogState;
    expect(later.checkpoint.size).toBeGreaterThan(size);
  });

  it('was verified whole, says when, and records that', async () => {
    const { service } = clinic;
    // The columns must be what the body says, whatever an actor is named.
    const odd = { actorId: '\ud800\0 "ü"', operation: 'a\0b\udc00', patients: [order.user_id] };
    await service.audit.record(auditEntry({ teamId: sampleTeamId, ...odd }));
    const before = (await clinic.get('/audit/log')).json() as AuditLogState;
    expect(before.verified_whole).toBe(null);
    await service.app.get(SelfVerification, { strict: false }).turn();
    const { verified_whole: whole } = (await clinic.get('/audit/log')).json() as AuditLogState;
    expect(whole).toEqual({ at: expect.stringMatching(/^\d{4}-/u), intact: true });
    const page = await clinic.get(`/audit/events?patient=${order.user_id}`);
    const { log_id: logId, events } = page.json() as AuditEventsPage;
    expect(events[0]?.body['actor_id']).toBe('\ufffd\ufffd "ü"');
    expect(logId).toBe(before.log_id);
    const { body } = await service.metrics();
    expect(body).toMatch(/^caregate_audit_last_verified_seconds 1\d{9}/mu);
    expect(body).toMatch(/^caregate_audit_intact 1$/mu);
    expect(service.log.join('')).toContain('the whole audit log was verified');
  });
});
