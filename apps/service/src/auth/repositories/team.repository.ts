import type { Kysely } from 'kysely';
import { OperatorError } from '@caregate/data-store/errors';
import type { AccessSchema } from '../access-schema.ts';
import { checkName, checkTeam, RuleError } from '../rules.ts';
import { matchesTeam, Repository } from './repository.ts';

export type ListedTeam = ReturnType<typeof toListed>;

/** The tables whose rows prevent the deletion of a team. Desks that are not enrolled yet are rows with codes. */
const TABLES_OF_TEAM = [
  ['keys', 'keys'],
  ['staff', 'people who work there'],
  ['desks', 'desks'],
  ['enrolment_codes', 'codes for desks'],
  ['break_glass', 'emergency accesses'],
] as const;

/** Teams. They are also created with their first API key, staff member or desk. */
export class TeamRepository extends Repository {
  async list(teamId?: string): Promise<ListedTeam[]> {
    const rows = await this.database.reader
      .selectFrom('teams')
      .selectAll()
      .where(matchesTeam(teamId))
      .orderBy('created_ms')
      .orderBy('team_id')
      .execute();
    return rows.map(toListed);
  }

  async create(id: string, name: string): Promise<void> {
    const teamId = checkTeam(id);
    const row = { team_id: teamId, name: checkName(name), created_ms: this.database.now() };
    await this.database.change(async (transaction, record) => {
      const { numInsertedOrUpdatedRows: inserted } = await transaction
        .insertInto('teams')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted !== 1n) {
        throw new RuleError('This team exists already.', 'team');
      }
      await record({ operation: 'teamCreated', team_id: teamId, details: {} });
    });
  }

  /**
   * @throws OperatorError with what the team still has, including what is revoked, since the audit log refers to it
   * by ID
   */
  async delete(id: string): Promise<void> {
    const teamId = checkTeam(id);
    await this.database.change(async (transaction, record) => {
      const has: string[] = [];
      for (const [table, noun] of TABLES_OF_TEAM) {
        const { count } = await transaction
          .selectFrom(table)
          .select((row) => row.fn.countAll<number>().as('count'))
          .where('team_id', '=', teamId)
          .executeTakeFirstOrThrow();
        if (count > 0) {
          has.push(`${noun} (${count})`);
        }
      }
      if (has.length > 0) {
        throw new OperatorError(`Team ${teamId} is not deleted: it has ${has.join(', ')}.`, 2);
      }
      const { numDeletedRows: deleted } = await transaction
        .deleteFrom('teams')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      if (deleted !== 1n) {
        throw new OperatorError(`There is no team ${teamId}.`, 2);
      }
      await record({ operation: 'teamDeleted', team_id: teamId, details: {} });
    });
  }
}

/** Creates the team if it is missing. @param name null keeps the current name */
export async function ensureTeam(
  transaction: Kysely<AccessSchema>,
  teamId: string,
  nowMs: number,
  name: string | null = null,
): Promise<void> {
  await transaction
    .insertInto('teams')
    .values({ team_id: teamId, name, created_ms: nowMs })
    .onConflict((conflict) =>
      name === null ? conflict.doNothing() : conflict.column('team_id').doUpdateSet({ name }),
    )
    .execute();
}

function toListed(row: AccessSchema['teams']) {
  return { teamId: row.team_id, name: row.name ?? undefined, created: new Date(row.created_ms) };
}
