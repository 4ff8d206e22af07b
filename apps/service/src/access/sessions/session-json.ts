import type { Session } from '@caregate/domain';
import type { SessionRow } from './session-lookup.ts';
import { principalOfSession } from './session-store.ts';

/** `token` only where the session begins. */
export function sessionJson(row: SessionRow, pinSet: boolean, token?: string): Session {
  const { role } = principalOfSession(row);
  return {
    ...(token === undefined ? {} : { session: token }),
    ...sessionTimes(row),
    pin_set: pinSet,
    staff: { staff_id: row.staff_id, name: row.staff_name, role, team_id: row.team_id },
    desk: { desk_id: row.desk_id, name: row.desk_name },
  };
}

export function sessionTimes(
  row: SessionRow,
): Pick<Session, 'session_id' | 'expires_at' | 'ends_at'> {
  return {
    session_id: row.session_id,
    expires_at: new Date(row.expires_ms).toISOString(),
    ends_at: new Date(row.ends_ms).toISOString(),
  };
}
