import type { Kysely } from 'kysely';
import type { AccessSchema } from './access-schema.ts';
import type { AccessStore } from './access-store.ts';

/** Something that opens health data now, or waits for its review. */
export interface Held {
  readonly kind: 'key' | 'staff' | 'desk' | 'session' | 'emergency access';
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** Role and scopes; of an emergency access, the patient. */
  readonly may: string;
  readonly since: Date;
  readonly until?: Date | undefined;
  /** Of a key its last use; of a person and a desk the last sign-in. */
  readonly lastUse?: Date | undefined;
}

/** Returns what is valid now, of one team or of all. @throws RuleError if `teamId` is no team ID */
export async function heldAccess(store: AccessStore, teamId?: string): Promise<Held[]> {
  const { now: readClock, reader } = store.database;
  const now = readClock();
  const keys = await store.keys.list(teamId);
  const [staff, desks, grants, sessions, signIns] = await Promise.all([
    store.staff.list(teamId),
    store.desks.list(teamId),
    store.breakGlass.list({ teamId, all: true }),
    selectLiveSessions(reader, now),
    selectLastSignIns(reader),
  ]);
  const all: Held[] = [];
  for (const { state, role, scopes, ...key } of keys) {
    if (state === 'live') {
      const may = [role, ...scopes].join(' ');
      const times = { since: key.created, until: key.expires, lastUse: key.lastUsed };
      all.push({ kind: 'key', id: key.keyId, teamId: key.teamId, name: key.label, may, ...times });
    }
  }
  for (const { staffId: id, name, role: may, created: since, ...person } of staff) {
    if (person.disabled === undefined) {
      const lastUse = signIns.get(id);
      all.push({ kind: 'staff', id, teamId: person.teamId, name, may, since, lastUse });
    }
  }
  for (const { deskId: id, name, created: since, ...desk } of desks) {
    if (desk.revoked === undefined) {
      const lastUse = signIns.get(id);
      all.push({ kind: 'desk', id, teamId: desk.teamId, name, may: 'sign-in', since, lastUse });
    }
  }
  for (const session of sessions) {
    if (teamId === undefined || session.team_id === teamId.toLowerCase()) {
      const name = `${session.staff_name} at ${session.desk_name}`;
      const times = { since: new Date(session.began_ms), until: new Date(session.expires_ms) };
      const [id, team] = [session.session_id, session.team_id];
      all.push({ kind: 'session', id, teamId: team, name, may: session.role, ...times });
    }
  }
  for (const grant of grants) {
    if (grant.expires.getTime() > now || grant.reviewed === undefined) {
      const name = grant.staffName ?? grant.keyLabel ?? '';
      const times = { since: grant.granted, until: grant.expires };
      const [id, may] = [grant.grantId, `patient ${grant.userId}`];
      all.push({ kind: 'emergency access', id, teamId: grant.teamId, name, may, ...times });
    }
  }
  return all;
}

async function selectLiveSessions(db: Kysely<AccessSchema>, now: number) {
  return await db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.staff_id', 'sessions.staff_id')
    .innerJoin('desks', 'desks.desk_id', 'sessions.desk_id')
    .select(['session_id', 'sessions.team_id', 'began_ms', 'expires_ms', 'staff.role'])
    .select(['staff.name as staff_name', 'desks.name as desk_name'])
    .where('ended_ms', 'is', null)
    .where('expires_ms', '>', now)
    .where('ends_ms', '>', now)
    .orderBy('began_ms')
    .orderBy('session_id')
    .execute();
}

/** Returns the last sign-in of each person and at each desk, by ID. */
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
