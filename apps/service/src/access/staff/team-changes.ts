import type { Kysely } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';

export async function ensureTeam(
  transaction: Kysely<AccessSchema>,
  teamId: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto('teams')
    .values({ team_id: teamId, name: null, created_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function endSessions(
  transaction: Kysely<AccessSchema>,
  of: { readonly column: 'staff_id' | 'desk_id'; readonly id: string },
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ ended_ms: nowMs })
    .where(of.column, '=', of.id)
    .where('ended_ms', 'is', null)
    .execute();
}
