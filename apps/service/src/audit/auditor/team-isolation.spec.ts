import { describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { type Answer, startSpecService } from '../../testing/service.testing.ts';
import { buildActEntry, buildSystemEntry } from '../audit-entries.ts';
import { AuditAlarms } from '../audit-alarms.ts';
import { recordActs } from '../open-log.ts';

const envelopes = [...sampleEnvelopes({ users: 4, teamId: sampleTeamId })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const theirs = [...sampleEnvelopes({ users: 4, teamId: otherTeamId, seed: 77 })];

/** These routes show size and hashes of the whole log on purpose. */
const ofTheTree = [
  ...['/audit/log', '/audit/checkpoint', '/audit/proof?seq=0', '/audit/proof?from=0'],
];
/** The routes that an auditor may read. other-team.spec calls every operation with IDs of another team. */
const routes = [
  ...['/access/break-glass?state=all', '/audit/events', '/audit/events?decision=not_found'],
  ...['/audit/alarms', '/audit/export?format=csv', '/audit/export?format=fhir', '/access/me'],
  ...[`/audit/patients/${order.user_id}/disclosures`, '/audit/key', ...ofTheTree],
  ...['/', '/healthz', '/readyz', '/openapi.json', '/docs', '/nowhere'],
];

const service = await startSpecService([...envelopes, ...theirs]);
const auditor = await service.key(sampleTeamId, 'auditor');
const clinician = await service.key(sampleTeamId);
const otherAuditor = await service.key(otherTeamId, 'auditor');
const other = await service.access.keys.create({
  ...{ teamId: otherTeamId, role: 'clinician', label: 'canary label' },
});

describe('a team’s auditor', () => {
  /** Texts of the other team and of the service, which no response may contain. */
  const canaries = new Set([other.keyId, 'canary', otherTeamId]);
  for (const envelope of theirs) {
    if (envelope.kind === 'user') canaries.add(envelope.user.user_id);
  }

  async function ask(path: string, key = auditor): Promise<Answer> {
    return await service.get(path, key);
  }

  async function all(path: string, key = auditor): Promise<readonly AuditEvent[]> {
    const events: AuditEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
      const page = (await ask(path + more, key)).json() as Page;
      events.push(...page.events);
      cursor = page.next_cursor;
    }
    return events;
  }

  /** Produces records of the other team and of the service itself. */
  async function otherActivity(reads: number): Promise<string[]> {
    const ids: string[] = [];
    const list = await ask('/v2/user?limit=4', other.key);
    expect(list.status).toBe(200);
    for (let turn = 0; turn < reads; turn += 1) {
      const { headers } = await ask(`/v2/user/resolve/canary-${turn}`, other.key);
      ids.push(String(headers['x-audit-record-id']));
    }
    const billing = await service.key(otherTeamId, 'billing');
    const users = theirs.filter((envelope) => envelope.kind === 'user');
    const requested = await service.post('/access/break-glass', billing, {
      ...{ reason_code: 'emergency_treatment', user_id: users[0]!.user.user_id },
      text: 'canary, who was found unconscious at the desk',
    });
    canaries.add((requested.json() as { break_glass_id: string }).break_glass_id);
    await recordAct(users[1]!.user.user_id);
    const alarms = service.app.get(AuditAlarms, { strict: false });
    alarms.raise('log-interrupted');
    alarms.raise('proof-failed');
    await service.audit.record(buildSystemEntry('clockStep'));
    await service.audit.record(buildSystemEntry('startUp'));
    ids.forEach((id) => canaries.add(id));
    return ids;
  }

  /** Records an act of the command line about a patient of the other team. */
  async function recordAct(patient: string): Promise<void> {
    const details = { hold: 'h1', reference: 'canary-case-4711', patient };
    const entry = buildActEntry({ operation: 'rotateSecret', data_category: 'audit', details });
    canaries.add(String(entry.actor_id));
    await recordActs({ dataDir: service.folder }, [entry]);
  }

  // Runs first, so that the positions in the log have one to three digits. record-ids.spec tests the IDs.
  it('gets cursors of equal length, whatever position they contain', async () => {
    for (let turn = 0; turn < 120; turn += 1) {
      await ask('/v2/user?limit=1', clinician);
    }
    const lengths: number[] = [];
    for (let next: unknown = ''; typeof next === 'string';) {
      const more = next === '' ? '' : `&cursor=${next}`;
      next = (await ask(`/audit/export?format=csv&limit=7${more}`)).headers['x-next-cursor'];
      if (typeof next === 'string') lengths.push(next.length);
    }
    expect(lengths.length).toBeGreaterThan(15);
    expect(new Set(lengths).size).toBe(1);
  });

  it('sees nothing of another team or of the service on any route', async () => {
    await service.get(`/v3/order/${order.order_id}/result`, clinician);
    await otherActivity(120);
    const own = await all('/audit/events');
    expect(own.length).toBeGreaterThan(0);
    for (const path of routes) {
      const answer = await ask(path);
      const sent = JSON.stringify(answer.headers) + answer.body;
      expect([path, [...canaries].filter((canary) => sent.includes(canary))]).toEqual([path, []]);
    }
    for (const path of ['/audit/events', '/audit/alarms']) {
      const shown = JSON.stringify(await all(path));
      expect([...canaries].filter((canary) => shown.includes(canary))).toEqual([]);
      for (const { body } of await all(path)) {
        expect(body['team_id']).toBe(sampleTeamId);
      }
    }
    // The records exist: the other team's auditor sees them.
    const alarms = await all('/audit/alarms', otherAuditor);
    const operations = new Set(alarms.map(({ body }) => body['operation']));
    expect(operations).toEqual(new Set(['breakGlass']));
  });

  it('sees positions and size of the log only in proofs', async () => {
    await otherActivity(1);
    for (const path of routes) {
      const { body, headers } = await ask(path);
      expect(JSON.stringify(headers)).not.toMatch(/\/\d/u);
      if (!ofTheTree.includes(path) && path !== '/openapi.json' && path !== '/docs') {
        expect([path, /"(?:seq|size|total|leaf_hash)"/u.test(body)]).toEqual([path, false]);
      }
    }
    const few = await all('/audit/events');
    for (const event of few) {
      expect(Object.keys(event).sort()).toEqual([
        ...['actor', 'body', 'device', 'log_id', 'occurred_at', 'patients', 'record_id'],
        ...['salt', 'session_id'],
      ]);
      expect(event.record_id).toMatch(/^[0-9a-f]{32}$/u);
      expect(event.body).not.toHaveProperty('seq');
    }
  });

  it('finds a record of the own team by its ID, with its proof, and none of another team', async () => {
    const read = await ask('/v2/user?limit=1', clinician);
    const id = String(read.headers['x-audit-record-id']);
    const [event, ...more] = await all(`/audit/events?record=${id}`);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      record_id: id,
      body: { operation: 'listUsers', request_id: read.headers['x-request-id'] },
    });
    // IDs are the same everywhere, such as in the list of events.
    expect((await all('/audit/events')).map(({ record_id }) => record_id)).toContain(id);
    const proof = await ask(`/audit/proof?record=${id}`);
    expect([proof.status, proof.body]).toEqual([200, expect.stringContaining('"leaf_hash"')]);

    const [foreign] = await otherActivity(1);
    const madeUp = 'f'.repeat(32);
    const unnamed = ({ status, body }: Answer): unknown[] => [
      status,
      body.replaceAll(/[0-9a-f-]{36}/gu, ''),
    ];
    for (const path of ['/audit/events?record=', '/audit/proof?record=']) {
      expect(unnamed(await ask(path + foreign!))).toEqual(unnamed(await ask(path + madeUp)));
    }
    expect((await ask(`/audit/proof?record=${foreign!}`)).status).toBe(404);
    expect(await all(`/audit/events?record=${foreign!}`)).toEqual([]);
    expect(await all(`/audit/events?record=${foreign!}`, otherAuditor)).toHaveLength(1);
    expect((await ask(`/audit/proof?record=${id}&seq=1`)).status).toBe(422);
    expect((await ask('/audit/proof?record=7')).status).toBe(422);
  });
});

interface AuditEvent {
  readonly record_id: string;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Page {
  readonly events: readonly AuditEvent[];
  readonly next_cursor: string | null;
}
