import type { AuditLogState } from '@caregate/domain';
import { validateAuditLogState } from '@caregate/domain/validate';
import { VerifierKey } from '@caregate/audit-log';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openClinic, type Clinic } from './auditor.testing.ts';
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
    const { size, root, origin } = VerifierKey.parse(state.verifier_key).open(
      state.checkpoint.note,
    );
    expect(state).toMatchObject({
      log_id: origin.split('/').at(-1),
      accepts_records: true,
      checkpoint: { size, root: root.toString('base64') },
      verified: { consistent: true, to: size },
      witnessing: null,
      checkpoint_copy_failing: null,
    });
    expect(state.verified.from).toBeLessThan(size);
    const later = (await clinic.get('/audit/log')).json() as AuditLogState;
    expect(later.checkpoint.size).toBeGreaterThan(size);
  });
});
