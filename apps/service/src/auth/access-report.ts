import type { Kysely } from 'kysely';
import type { AccessSchema } from './access-schema.ts';
import type { AccessStore } from './access-store.ts';

/** A credential or emergency access that is valid now or waits for its review. */
export interface HeldAccess {
  readonly kind: 'key' | 'staff' | 'desk' | 'session' | 'emergency access';
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** Role and scopes; for an emergency access, the patient. */
  readonly may: string;
  readonly since: Date;
  readonly until?: Date | undefined;
  /** Last use of an API key; last sign-in of a staff member or at a desk. */
  readonly lastUse?: Date | undefined;
}

/** Returns all valid access of one team, or of all teams. @throws RuleError if `teamId` is not a team ID */
export async function listHeldAccess(store: AccessStore, teamId?: string): Promise<HeldAccess[]> {
  const { now: readClock, reader } = store.database;
  const now = readClock();
  const keys = await store.keys.list(teamId);
  const [staff, desks, grants, sessions, signIns] = await Promise.all([
    store.staff.list(teamId),
    store.desks.list(teamId),
    store.breakGlass.list({ teamId, all: true }),
    store.sessions.listLive(teamId),
    selectLastSignIns(reader),
  ]);
  return [
    ...keys
      .filter(({ state }) => state === 'live')
      .map((key) => ({
        ...{ kind: 'key' as const, id: key.keyId, teamId: key.teamId, name: key.label },
        may: [key.role, ...key.scopes].join(' '),
        ...{ since: key.created, until: key.expires, lastUse: key.lastUsed },
      })),
    ...staff
      .filter(({ disabled }) => disabled === undefined)
      .map((person) => ({
        ...{ kind: 'staff' as const, id: person.staffId, teamId: person.teamId },
        ...{ name: person.name, may: person.role, since: person.created },
        lastUse: signIns.get(person.staffId),
      })),
    ...desks
      .filter(({ revoked }) => revoked === undefined)
      .map((desk) => ({
        ...{ kind: 'desk' as const, id: desk.deskId, teamId: desk.teamId },
        ...{ name: desk.name, may: 'sign-in', since: desk.created },
        lastUse: signIns.get(desk.deskId),
      })),
    ...sessions.map((session) => ({
      ...{ kind: 'session' as const, id: session.session_id, teamId: session.team_id },
      ...{ name: `${session.staff_name} at ${session.desk_name}`, may: session.staff_role },
      ...{ since: new Date(session.began_ms), until: new Date(session.expires_ms) },
    })),
    ...grants
      .filter((grant) => grant.expires_ms > now || grant.reviewed_ms === null)
      .map((grant) => ({
        ...{ kind: 'emergency access' as const, id: grant.grant_id, teamId: grant.team_id },
        ...{ name: grant.staff_name ?? grant.label ?? '', may: `patient ${grant.user_id}` },
        ...{ since: new Date(grant.granted_ms), until: new Date(grant.expires_ms) },
      })),
  ];
}

/** Returns the last sign-in of each staff member and at each desk, by ID. */
async function selectLastSignIns(db: Kysely<AccessSchema>): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('sessions')
    .select(({ fn }) => ['staff_id', 'desk_id', fn.max('began_ms').as('last')])
    .groupBy(['staff_id', 'desk_id'])
    .orderBy('last')
    .execute();
  return new Map(
    rows.flatMap(({ staff_id, desk_id, last }) =>
      [staff_id, desk_id].map((id) => [id, new Date(last)] as const),
    ),
  );
}
