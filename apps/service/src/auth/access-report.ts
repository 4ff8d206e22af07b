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
  readonly until: Date | undefined;
  /** Of a key its last use; of a person and a desk the last sign-in. */
  readonly lastUse: Date | undefined;
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
    liveSessions(reader, now),
    lastSignIns(reader),
  ]);
  const isHere = (session: { readonly team_id: string }): boolean =>
    teamId === undefined || session.team_id === teamId.toLowerCase();
  const none = { until: undefined, lastUse: undefined };
  return [
    ...keys
      .filter(({ state }) => state === 'live')
      .map((key): Held => {
        const may = [key.role, ...key.scopes].join(' ');
        const { keyId: id, teamId: team, label: name, created: since, expires: until } = key;
        return { kind: 'key', id, teamId: team, name, may, since, until, lastUse: key.lastUsed };
      }),
    ...staff
      .filter(({ disabled }) => disabled === undefined)
      .map((person): Held => {
        const { staffId: id, teamId: team, name, role: may, created: since } = person;
        return { ...none, kind: 'staff', id, teamId: team, name, may, since, lastUse: signIns(id) };
      }),
    ...desks
      .filter(({ revoked }) => revoked === undefined)
      .map(({ deskId: id, teamId: team, name, created: since }): Held => {
        const may = 'sign-in';
        return { ...none, kind: 'desk', id, teamId: team, name, may, since, lastUse: signIns(id) };
      }),
    ...sessions.filter(isHere).map((session): Held => {
      const name = `${session.staff_name} at ${session.desk_name}`;
      return {
        ...{ ...none, kind: 'session', id: session.session_id, teamId: session.team_id, name },
        may: session.role,
        since: new Date(session.began_ms),
        until: new Date(session.expires_ms),
      };
    }),
    ...grants
      .filter(({ expires, reviewed }) => expires.getTime() > now || reviewed === undefined)
      .map((grant): Held => {
        const { grantId: id, teamId: team, userId, granted: since, expires: until } = grant;
        const name = grant.staffName ?? grant.keyLabel ?? '';
        const may = `patient ${userId}`;
        return { ...none, kind: 'emergency access', id, teamId: team, name, may, since, until };
      }),
  ];
}

async function liveSessions(db: Kysely<AccessSchema>, now: number) {
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

async function lastSignIns(db: Kysely<AccessSchema>): Promise<(id: string) => Date | undefined> {
  const rows = await db
    .selectFrom('sessions')
    .select(({ fn }) => ['staff_id', 'desk_id', fn.max('began_ms').as('last')])
    .groupBy(['staff_id', 'desk_id'])
    .execute();
  const last = new Map<string, number>();
  for (const row of rows) {
    for (const id of [row.staff_id, row.desk_id]) {
      last.set(id, Math.max(last.get(id) ?? 0, row.last));
    }
  }
  return (id) => {
    const ms = last.get(id);
    return ms === undefined ? undefined : new Date(ms);
  };
}
