import type { AuditEventsPage, BreakGlassGrantList, DisclosureList } from '@caregate/domain';
import { sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signedIn, type SignedIn } from '../../auth/sessions/signed-in.testing.ts';
import { openClinic, order, type Clinic } from './auditor.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';

const name = 'Dr. Okafor & Söhne';

describe.each(enginesOf('people'))('a person at a desk, on %s', (engine) => {
  let clinic: Clinic;
  let person: SignedIn;

  beforeAll(async () => {
    clinic = await openClinic(engine);
    person = await signedIn(clinic.service, { teamId: sampleTeamId, role: 'clinician', name });
  });
  afterAll(async () => {
    await clinic.close();
  });

  it('is named, with the desk and the session, by disclosures, events and exports', async () => {
    const { staffId, deskId, sessionId } = person;
    const shown = await person.request('GET', `/v3/order/${order.order_id}/result`);
    expect(shown.status).toBe(200);
    const id = String(shown.headers['x-audit-record-id']);
    const asked = `/audit/patients/${order.user_id}/disclosures`;
    const { disclosures } = (await clinic.get(asked)).json() as DisclosureList;
    const actor = { type: 'staff', id: staffId, name, role: 'clinician' };
    expect(disclosures[0]).toMatchObject({
      ...{ record_id: id, actor, session_id: sessionId },
      desk: { desk_id: deskId, name: 'Front desk 1' },
    });
    const events = `/audit/events?actor_id=${staffId.toUpperCase()}&operation=labOrderResult`;
    const page = (await clinic.get(events)).json() as AuditEventsPage;
    expect(page.events).toHaveLength(1);
    expect(page.events[0]).toMatchObject({
      ...{ record_id: id, actor, session_id: sessionId, patients: [order.user_id] },
      device: { id: deskId, name: 'Front desk 1' },
    });
    const csv = await clinic.get(`/audit/export?format=csv&actor_id=${staffId}`);
    expect(csv.body).toContain(`"${name}","Front desk 1"`);
    const fhir = await clinic.get(`/audit/export?format=fhir&actor_id=${staffId}`);
    expect(fhir.body).toContain(`"name":"${name}"`);
  });

  it('has the names of now: none of another team, and a new one after a change', async () => {
    const { staffId, deskId } = person;
    const ids = { actors: [staffId], desks: [deskId], grants: [] };
    const { names } = clinic.service.access;
    const own = await names.namesOf(sampleTeamId, ids);
    expect([own.actors.get(staffId), own.desks.get(deskId)]).toEqual([name, 'Front desk 1']);
    const foreign = await names.namesOf('00000000-0000-4000-8000-000000000000', ids);
    expect([foreign.actors.size, foreign.desks.size]).toEqual([0, 0]);
  });

  it('whose emergency access is reviewed is named with the reviewer in the review queue', async () => {
    const why = { reason_code: 'other', text: 'Covering the ward this night, alone' };
    const body = { ...why, user_id: order.user_id };
    const billing = await clinic.service.key(sampleTeamId, 'billing');
    const granted = await clinic.post('/access/break-glass', body, billing);
    const { break_glass_id: id } = (await granted.json()) as { break_glass_id: string };
    const note = 'Seen with the head of the ward';
    const review = await clinic.post(
      ...([
        `/access/break-glass/${id}/review`,
        { outcome: 'justified', note },
        clinic.auditor,
      ] as const),
    );
    expect(review.status).toBe(200);
    const { grants } = (
      await clinic.get('/access/break-glass?state=all')
    ).json() as BreakGlassGrantList;
    expect(grants.find((grant) => grant.break_glass_id === id)).toMatchObject({
      ...{ outcome: 'justified', note, reviewed_by_name: 'spec auditor' },
      key_label: 'spec billing',
    });
  });
});
