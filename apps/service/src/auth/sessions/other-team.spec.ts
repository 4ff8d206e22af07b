import { describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { startSpecService } from '../../testing/service.testing.ts';
import { OPERATIONS, OPERATION_NAMES } from '../../operations/operations.ts';
import { ForgingProvider } from '../sign-in/forging-provider.testing.ts';
import { enrolledDesk, signedIn, signInBody, type SignedIn } from './signed-in.testing.ts';

const longest = 'Ottilie-Wilhelmine Freifrau von und zu '.padEnd(100, 'Hohenlohe-');
const roles = ['front_desk', 'clinician', 'billing', 'auditor', 'admin'] as const;
const theirs = [...sampleEnvelopes({ users: 2, teamId: otherTeamId, seed: 77 })];
const { user_id: theirUser, order_id: theirOrder } = theirs.find(
  (envelope) => envelope.kind === 'lab_result',
)!;

const provider = await ForgingProvider.forSpec();
const { issuer, clientId: oidcClientId } = provider;
const service = await startSpecService([...sampleEnvelopes({ users: 2 }), ...theirs], {
  config: { oidcIssuer: issuer, oidcClientId },
});
const people = new Map<string, SignedIn>();
const at = await enrolledDesk(service, sampleTeamId);
for (const role of roles) {
  const who = { teamId: sampleTeamId, role, name: `Own ${role}` };
  people.set(role, await signedIn(service, who, at));
}
const ottilie = { teamId: otherTeamId, role: 'billing', name: longest, issuer } as const;
const victim = await signedIn(service, ottilie, await enrolledDesk(service, otherTeamId));
const text = 'A canary who was found unconscious';
const reason = { reason_code: 'emergency_treatment', text, user_id: theirUser };
const granted = await victim.request('POST', '/access/break-glass', {
  body: { ...reason, ...(await signInBody(provider, victim)) },
});
const { break_glass_id: grantId } = granted.json() as { break_glass_id: string };
const seen = await victim.request('GET', `/v3/order/${theirOrder}/result`);
const recordId = String(seen.headers['x-audit-record-id']);

/** Returns every operation with IDs of the other team. */
function ofTheirs(): readonly (readonly [string, string, object | undefined])[] {
  const ids: Readonly<Record<string, string>> = {
    user_id: theirUser,
    order_id: theirOrder,
    client_user_id: 'MRN-of-nobody-here',
    break_glass_id: grantId,
  };
  const queries: Readonly<Record<string, string>> = {
    listAuditEvents: `?record=${recordId}`,
    exportAuditEvents: `?format=csv&patient=${theirUser}&actor_id=${victim.staffId}`,
    mindfulnessMinutes: '?start_date=2026-01-01',
    listOrders: `?user_id=${theirUser}`,
    auditProof: `?record=${recordId}`,
  };
  const bodies: Readonly<Record<string, object>> = {
    reviewBreakGlass: { outcome: 'not_justified', note: 'by another team' },
    recordDeskEvent: { kind: 'copy', document: 'lab_report', record_ids: [recordId] },
    searchPeople: { text: 'canary', limit: 8 },
  };
  // Other specs test operations that end the session or grant emergency access.
  const left = ['endSession', 'lockSession', 'unlockSession', 'setPin', 'askBreakGlass'];
  return OPERATION_NAMES.filter((name) => !left.includes(name)).map((name) => {
    const { method, path } = OPERATIONS[name];
    const filled = path.replaceAll(/\{([^}]+)\}/gu, (_whole, id: string) => ids[id] ?? id);
    return [method, filled + (queries[name] ?? ''), bodies[name]] as const;
  });
}

describe('a person of one team', () => {
  it('gets no data of another team by any operation in any role', async () => {
    const canaries = [theirUser, theirOrder, victim.staffId, victim.deskId, longest, grantId];
    let answered = 0;
    for (const [role, person] of people) {
      for (const [method, path, body] of ofTheirs()) {
        const answer = await person.request(method, path, body === undefined ? {} : { body });
        // A response may repeat the request, but no other value of the other team.
        const requestText = path + JSON.stringify(body ?? {});
        const sent = [theirUser, theirOrder, grantId, recordId, victim.staffId];
        const shown = sent
          .filter((id) => requestText.includes(id))
          .reduce((text, id) => text.replaceAll(id, ''), answer.body);
        const found = canaries.filter((canary) => shown.includes(canary));
        expect([role, method, path, found]).toEqual([role, method, path, []]);
        if (answer.status === 200) answered += 1;
      }
    }
    expect(seen.status).toBe(200);
    // Most operations were permitted for these roles.
    expect(answered).toBeGreaterThan(20);
    expect((await victim.request('GET', `/v3/order/${theirOrder}/result`)).status).toBe(200);
  });
});
