import type { AuditEventsPage, Disclosure, DisclosureList } from '@caregate/domain';
import { validateDisclosureList } from '@caregate/domain/validate';
import { sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nobody, openClinic, order, theirOrder, type Clinic } from './auditor.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';

const path = (userId = order.user_id, query = ''): string =>
  `/audit/patients/${userId}/disclosures${query}`;

describe.each(enginesOf('disclosures'))('the accounting of disclosures, on %s', (engine) => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic(engine);
  });
  afterAll(async () => {
    await clinic.close();
  });

  async function list(asked = path(), key?: string): Promise<DisclosureList> {
    const answer = await clinic.get(asked, key);
    expect([asked, answer.status]).toEqual([asked, 200]);
    const verdict = validateDisclosureList(answer.json());
    expect(verdict).toMatchObject({ ok: true });
    return answer.json() as DisclosureList;
  }

  it('says who was shown what, when and why, newest first, with names', async () => {
    const before = Date.now();
    const id = await clinic.readResult();
    const { user_id, disclosures, next_cursor } = await list();
    expect([user_id, next_cursor]).toEqual([order.user_id, null]);
    expect(disclosures[0]).toEqual({
      record_id: id,
      occurred_at: expect.any(String) as unknown,
      actor: {
        ...{ type: 'key', id: clinic.clinician.keyId, name: 'Dr. Ines Example <desk 2>' },
        role: 'clinician',
      },
      session_id: null,
      desk: null,
      operation: 'labOrderResult',
      how: 'read',
      data_category: 'lab_result',
      document: null,
      masked: false,
      why: null,
      break_glass_id: null,
      outcome: 'allowed',
    });
    expect(Date.parse(disclosures[0]!.occurred_at)).toBeGreaterThanOrEqual(before);
  });

  it('counts a list that the person was in, apart from a read, and tells what was masked', async () => {
    const desk = await clinic.service.key(sampleTeamId, 'front_desk');
    await clinic.get('/v2/user?limit=100', desk);
    const [newest] = (await list()).disclosures;
    expect(newest).toMatchObject({
      ...{ operation: 'listUsers', how: 'listed', masked: true },
    });
    await clinic.get('/v2/user?limit=100', clinic.clinician.key);
    expect((await list()).disclosures[0]).toMatchObject({ how: 'listed', masked: false });
  });

  it('gives the reason of emergency access, and leaves the acts around it out', async () => {
    const billing = await clinic.service.key(sampleTeamId, 'billing');
    const asked = {
      ...{ reason_code: 'threat_to_health_or_safety', user_id: order.user_id },
      text: 'Found unconscious at the reception desk',
    };
    const granted = await clinic.post('/access/break-glass', asked, billing);
    const { break_glass_id: grantId } = (await granted.json()) as { break_glass_id: string };
    const before = (await list()).disclosures.length;
    await clinic.get(`/v3/order/${order.order_id}/result`, billing);
    const after = (await list()).disclosures;
    expect(after.length - before).toBe(1);
    expect(after[0]).toMatchObject({
      ...{ how: 'read', why: 'threat_to_health_or_safety', break_glass_id: grantId },
      actor: { role: 'billing', name: 'spec billing' },
    });
    expect(after.map(({ operation }) => operation)).not.toContain('breakGlass');
  });

  it('has pages of any limit that are together the whole, each disclosure once', async () => {
    for (let turn = 0; turn < 7; turn += 1) {
      await clinic.readResult();
    }
    const whole = (await list(path(order.user_id, '?limit=500'))).disclosures;
    for (const limit of [1, 3]) {
      const found: Disclosure[] = [];
      let cursor: string | null | undefined;
      do {
        const more = cursor == null ? '' : `&cursor=${cursor}`;
        const page = await list(path(order.user_id, `?limit=${limit}${more}`));
        expect(page.disclosures.length).toBeLessThanOrEqual(limit);
        found.push(...page.disclosures);
        cursor = page.next_cursor;
      } while (cursor != null);
      expect(found).toEqual(whole);
    }
  });

  it('is limited to a range, and refuses one that ends before it begins, and a cursor of another query', async () => {
    const { disclosures } = await list();
    const [first, last] = [disclosures.at(-1)!, disclosures[0]!];
    const upTo = await list(path(order.user_id, `?end_date=${first.occurred_at}`));
    expect(upTo.disclosures.map(({ record_id: id }) => id)).toContain(first.record_id);
    expect(upTo.disclosures.map(({ record_id: id }) => id)).not.toContain(last.record_id);
    expect(upTo).toMatchObject({ from: null, to: first.occurred_at });
    expect((await list(path(order.user_id, '?start_date=2999-01-01'))).disclosures).toEqual([]);
    const wrong = await clinic.get(
      path(order.user_id, '?start_date=2024-02-01&end_date=2024-01-01'),
    );
    expect([wrong.status, wrong.body]).toEqual([
      422,
      expect.stringContaining('is before start_date'),
    ]);
    const { next_cursor: cursor } = await list(path(order.user_id, '?limit=1'));
    const other = await clinic.get(path(nobody, `?limit=1&cursor=${String(cursor)}`));
    expect([other.status, other.body]).toEqual([422, expect.stringContaining('"cursor"')]);
    expect((await clinic.get(path('nobody'))).status).toBe(422);
  });

  it('has the same for a patient of another team and for one that is not there', async () => {
    await clinic.get(`/v3/order/${theirOrder.order_id}/result`, clinic.theirs.clinician);
    const said = async (userId: string): Promise<unknown> => {
      const { status, headers, body } = await clinic.get(path(userId));
      const names = Object.keys(headers).sort();
      return [status, names, body.replace(userId, '').replaceAll(/[0-9a-f-]{36}/gu, '')];
    };
    expect(await said(theirOrder.user_id)).toEqual(await said(nobody));
    expect((await list(path(theirOrder.user_id))).disclosures).toEqual([]);
    const seen = (await list(path(theirOrder.user_id), clinic.theirs.auditor)).disclosures;
    expect(seen).toHaveLength(1);
    // And the other way round.
    expect((await list(path(), clinic.theirs.auditor)).disclosures).toEqual([]);
  });

  it('is itself recorded, with whom it was about, and does not grow by being read', async () => {
    const before = (await list()).disclosures.length;
    const answer = await clinic.get(path());
    const id = String(answer.headers['x-audit-record-id']);
    const { events } = (await clinic.get(`/audit/events?record=${id}`)).json() as AuditEventsPage;
    expect(events[0]).toMatchObject({
      patients: [],
      actor: { type: 'key', name: 'spec auditor', role: 'auditor' },
      body: { operation: 'listDisclosures', details: { asked_user_id: order.user_id } },
    });
    expect((await list()).disclosures).toHaveLength(before);
  });

  it('is not opened by emergency access to that patient', async () => {
    const front = await clinic.service.key(sampleTeamId, 'front_desk');
    const why = { reason_code: 'other', text: 'Somebody asks who has seen their record' };
    const body = { ...why, user_id: order.user_id };
    expect((await clinic.post('/access/break-glass', body, front)).status).toBe(201);
    expect((await clinic.get(path(), front)).status).toBe(403);
  });
});
