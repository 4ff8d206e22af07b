import type { AuditLogState } from '@caregate/domain';
import { validateAuditLogState } from '@caregate/domain/validate';
import { sampleTeamId } from '@caregate/sample-data';
import { openCheckpoint, parseVerifierKey } from '@caregate/audit-log';
import { bodiesIn } from '@caregate/audit-log/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { testService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
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
    const { size, root, origin } = openCheckpoint(
      state.checkpoint.note,
      parseVerifierKey(state.verifier_key),
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

  it('is for auditors alone, and takes no parameters', async () => {
    for (const role of ['front_desk', 'clinician', 'billing', 'admin'] as const) {
      const key = await clinic.service.key(sampleTeamId, role);
      expect((await clinic.get('/audit/log', key)).status).toBe(403);
    }
  });
});

describe('a log that was changed in its file', () => {
  it('is told to the auditor as not consistent, and is an alarm', async () => {
    const service = await testService([]);
    try {
      const key = await service.key(sampleTeamId, 'auditor');
      for (let turn = 0; turn < 8; turn += 1) {
        await service.get('/audit/log', key);
      }
      const [segment = ''] = readdirSync(join(service.folder, 'audit/records'));
      const file = join(service.folder, 'audit/records', segment);
      const handle = openSync(file, 'r+');
      writeSync(handle, 'L', readFileSync(file).indexOf('log_id'));
      closeSync(handle);
      const { verified } = (await service.get('/audit/log', key)).json() as AuditLogState;
      expect(verified.consistent).toBe(false);
      const operations = (): unknown[] => bodiesIn(service.folder).map((body) => body['operation']);
      await until(() => operations().includes('proofFailed'));
    } finally {
      await service.close();
    }
  });
});
