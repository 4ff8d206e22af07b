import * as client from '@caregate/api-client/service';
import { HealthDataClient } from '@caregate/api-client';
import { validateAuditEventsPage, validateDisclosureList } from '@caregate/domain/validate';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../operations/operations.ts';
import { PUBLIC_ROUTES } from '../../operations/public-routes.ts';
import { clientUserIdOf, openClinic, order, type Clinic } from './auditor.testing.ts';

describe('the client of access and audit', () => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic();
  });
  afterAll(async () => {
    await clinic.close();
  });

  it('asks for nothing but what the service has, by its method and path', () => {
    const rows: Readonly<Record<string, { method: string; path: string }>> = {
      ...PUBLIC_ROUTES,
      ...OPERATIONS,
    };
    const served = Object.values(rows).map(({ method, path }) => `${method} ${path}`);
    for (const [name, { method, path }] of Object.entries(client.SERVICE_ROUTES)) {
      expect(served).toContain(`${method} ${path}`);
      expect(rows[name] === undefined || rows[name].path === path).toBe(true);
    }
  });

  it('does a day of a desk and of its auditor', async () => {
    const baseUrl = `http://127.0.0.1:${clinic.service.port}`;
    const desk = { baseUrl, apiKey: clinic.clinician.key };
    const auditor = client.connectService({ baseUrl, apiKey: clinic.auditor });
    const { headers } = await new HealthDataClient(desk).orders
      .result(order.order_id)
      .withResponse();
    const shown = String(headers['x-audit-record-id']);
    const printed = await client.recordDeskEvent(client.connectService(desk), {
      ...{ kind: 'print', document: 'lab_report', pages: 1 },
      record_ids: [shown],
    });

    const page = await client.listDisclosures(auditor, order.user_id, { limit: 1 });
    expect(validateDisclosureList(page)).toMatchObject({ ok: true });
    expect(page.disclosures[0]).toMatchObject({ how: 'print', document: 'lab_report' });
    const ids: string[] = [];
    for await (const { record_id: id } of client.eachDisclosure(auditor, order.user_id, {
      limit: 1,
    })) {
      ids.push(id);
    }
    expect(ids).toEqual([printed.record_id, shown]);

    const asked = { actorId: clinic.clinician.keyId, decision: 'allowed' } as const;
    expect(validateAuditEventsPage(await client.listAuditEvents(auditor, asked))).toMatchObject({
      ok: true,
    });
    const seen: string[] = [];
    for await (const { record_id: id, actor } of client.eachAuditEvent(auditor, asked)) {
      expect(actor.name).toBe('Dr. Ines Example <desk 2>');
      seen.push(id);
    }
    expect(seen).toEqual(ids);
    const clientUserId = clientUserIdOf(order.user_id);
    const ofPatient = await client.listAuditEvents(auditor, { clientUserId });
    expect(ofPatient.user_id).toBe(order.user_id);
    expect(ofPatient.events.map(({ record_id: id }) => id)).toContain(shown);
    let file = '';
    for await (const part of client.eachExportPart(auditor, { format: 'csv', limit: 2 })) {
      file += part;
    }
    expect(file).toContain(shown);
    const state = await client.auditLogState(auditor);
    expect(state.verified.consistent).toBe(true);
    expect(await client.auditKey(auditor)).toBe(`${state.verifier_key}\n`);
    expect(await client.listBreakGlass(auditor)).toEqual({ grants: [], next_cursor: null });
    for await (const alarm of client.eachAuditAlarm(auditor)) {
      expect(alarm).toBeUndefined();
    }
    await expect(
      client.recordDeskEvent(client.connectService(desk), {
        ...{ kind: 'copy', document: 'lab_report', record_ids: ['f'.repeat(32)] },
      }),
    ).rejects.toMatchObject({ name: 'InvalidParameterError', status: 422 });
  });
});
