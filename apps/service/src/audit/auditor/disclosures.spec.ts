import type {
  AuditEventsPage,
  BreakGlassGrantList,
  Disclosure,
  DisclosureList,
} from '@caregate/domain';
import { validateDisclosureList } from '@caregate/domain/validate';
import { sampleTeamId } from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import { signedIn } from '../../auth/sessions/signed-in.testing.ts';
import { nobody, openClinic, order, theirOrder } from './auditor.testing.ts';

const path = (userId = order.user_id, query = ''): string =>
  `/audit/patients/${userId}/disclosures${query}`;

const clinic = await openClinic();

describe('the disclosures of a patient', () => {
  async function list(url = path(), key?: string): Promise<DisclosureList> {
    const answer = await clinic.get(url, key);
    expect([url, answer.status]).toEqual([url, 200]);
    expect(validateDisclosureList(answer.json())).toMatchObject({ ok: true });
    return answer.json() as DisclosureList;
  }

  it('list who saw which data, when and why, newest first, with names', async () => {
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
      ...{ session_id: null, desk: null, operation: 'labOrderResult', how: 'read' },
      ...{ data_category: 'lab_result', document: null, masked: false, why: null },
      ...{ break_glass_id: null, outcome: 'allowed' },
    });
    expect(Date.parse(disclosures[0]!.occurred_at)).toBeGreaterThanOrEqual(before);
  });

  it('name a person, the desk and the session, as events and exports do', async () => {
    const name = 'Dr. Okafor & Söhne';
    const of = { teamId: sampleTeamId, role: 'clinician', name } as const;
    const { staffId, deskId, sessionId, request } = await signedIn(clinic.service, of);
    const shown = await request('GET', `/v3/order/${order.order_id}/result`);
    const id = String(shown.headers['x-audit-record-id']);
    const actor = { type: 'staff', id: staffId, name, role: 'clinician' };
    expect((await list()).disclosures[0]).toMatchObject({
      ...{ record_id: id, actor, session_id: sessionId },
      desk: { desk_id: deskId, name: 'Front desk 1' },
    });
    const query = `actor_id=${staffId.toUpperCase()}&operation=labOrderResult`;
    const { events } = (await clinic.get(`/audit/events?${query}`)).json() as AuditEventsPage;
    expect(events).toMatchObject([
      {
        ...{ record_id: id, actor, session_id: sessionId, patients: [order.user_id] },
        device: { id: deskId, name: 'Front desk 1' },
      },
    ]);
    const csv = await clinic.get(`/audit/export?format=csv&actor_id=${staffId}`);
    expect(csv.body).toContain(`"${name}","Front desk 1"`);
    const fhir = await clinic.get(`/audit/export?format=fhir&actor_id=${staffId}`);
    expect(fhir.body).toContain(`"name":"${name}"`);
  });

  it('distinguish lists from reads, and masked lists from complete ones', async () => {
    const desk = await clinic.service.key(sampleTeamId, 'front_desk');
    for (const [key, masked] of [
      [desk, true],
      [clinic.clinician.key, false],
    ] as const) {
      await clinic.get('/v2/user?limit=100', key);
      const [newest] = (await list()).disclosures;
      expect(newest).toMatchObject({ operation: 'listUsers', how: 'listed', masked });
    }
  });

  it('include the reason of an emergency access, and the reviewer of its review', async () => {
    const billing = await clinic.service.key(sampleTeamId, 'billing');
    const request = { reason_code: 'threat_to_health_or_safety', user_id: order.user_id };
    const text = 'Found unconscious at the reception desk';
    const granted = await clinic.post('/access/break-glass', { ...request, text }, billing);
    const { break_glass_id: id } = (await granted.json()) as { break_glass_id: string };
    const before = (await list()).disclosures.length;
    await clinic.get(`/v3/order/${order.order_id}/result`, billing);
    const after = (await list()).disclosures;
    expect(after.length - before).toBe(1);
    expect(after[0]).toMatchObject({
      ...{ how: 'read', why: 'threat_to_health_or_safety', break_glass_id: id },
      actor: { role: 'billing', name: 'spec billing' },
    });
    const review = { outcome: 'justified', note: 'Seen with the head of the ward' };
    const reviewed = await clinic.post(`/access/break-glass/${id}/review`, review, clinic.auditor);
    expect(reviewed.status).toBe(200);
    const queue = await clinic.get('/access/break-glass?state=all');
    expect((queue.json() as BreakGlassGrantList).grants).toMatchObject([
      { ...review, reviewed_by_name: 'spec auditor', key_label: 'spec billing' },
    ]);
  });

  it('are each on one page, whatever the limit', async () => {
    for (let turn = 0; turn < 7; turn += 1) {
      await clinic.readResult();
    }
    const all = (await list(path(order.user_id, '?limit=500'))).disclosures;
    for (const limit of [1, 3]) {
      const found: Disclosure[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await list(path(order.user_id, `?limit=${limit}${more}`));
        expect(page.disclosures.length).toBeLessThanOrEqual(limit);
        found.push(...page.disclosures);
        cursor = page.next_cursor ?? null;
      }
      expect(found).toEqual(all);
    }
  });

  it('are limited to a time range; an invalid range and a cursor of another query are refused', async () => {
    const { disclosures } = await list();
    const [first, last] = [disclosures.at(-1)!, disclosures[0]!];
    const upTo = await list(path(order.user_id, `?end_date=${first.occurred_at}`));
    const ids = upTo.disclosures.map(({ record_id: id }) => id);
    expect([ids.includes(first.record_id), ids.includes(last.record_id)]).toEqual([true, false]);
    expect(upTo).toMatchObject({ from: null, to: first.occurred_at });
    expect((await list(path(order.user_id, '?start_date=2999-01-01'))).disclosures).toEqual([]);
    const { next_cursor: cursor } = await list(path(order.user_id, '?limit=1'));
    for (const [url, reason] of [
      [path(order.user_id, '?start_date=2024-02-01&end_date=2024-01-01'), 'is before start_date'],
      [path(nobody, `?limit=1&cursor=${String(cursor)}`), '"cursor"'],
      [path('nobody'), '"user_id"'],
    ] as const) {
      const { status, body } = await clinic.get(url);
      expect([status, body]).toEqual([422, expect.stringContaining(reason)]);
    }
  });

  it('are the same for a patient of another team and for an unknown one', async () => {
    await clinic.get(`/v3/order/${theirOrder.order_id}/result`, clinic.theirs.clinician);
    const bareAnswer = async (userId: string): Promise<unknown> => {
      const { status, headers, body } = await clinic.get(path(userId));
      const names = Object.keys(headers).sort();
      return [status, names, body.replace(userId, '').replaceAll(/[0-9a-f-]{36}/gu, '')];
    };
    expect(await bareAnswer(theirOrder.user_id)).toEqual(await bareAnswer(nobody));
    const { auditor } = clinic.theirs;
    expect((await list(path(theirOrder.user_id), auditor)).disclosures).toHaveLength(1);
    expect((await list(path(), auditor)).disclosures).toEqual([]);
  });

  it('are recorded when they are read, and that record is not one of them', async () => {
    const before = (await list()).disclosures.length;
    const { headers } = await clinic.get(path());
    const query = `record=${String(headers['x-audit-record-id'])}`;
    const { events } = (await clinic.get(`/audit/events?${query}`)).json() as AuditEventsPage;
    expect(events[0]).toMatchObject({
      ...{ patients: [], actor: { type: 'key', name: 'spec auditor', role: 'auditor' } },
      body: { operation: 'listDisclosures', details: { asked_user_id: order.user_id } },
    });
    expect((await list()).disclosures).toHaveLength(before);
  });

  it('are not opened by emergency access to that patient', async () => {
    const front = await clinic.service.key(sampleTeamId, 'front_desk');
    const why = { reason_code: 'other', text: 'Somebody asks who has seen their record' };
    const body = { ...why, user_id: order.user_id };
    expect((await clinic.post('/access/break-glass', body, front)).status).toBe(201);
    expect((await clinic.get(path(), front)).status).toBe(403);
  });
});
