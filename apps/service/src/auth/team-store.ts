import { OperatorError } from '../config/operator-error.ts';
import { ACCESS_ACTS, type AccessChanges } from './access-acts.ts';
import { checkName, checkTeam, RuleError } from './rules.ts';

export interface ListedTeam {
  readonly teamId: string;
  readonly name: string | undefined;
  readonly created: Date;
}

/** What names a team, and by which word. Desks that are not enrolled yet are codes. */
const NAMED_BY = {
  keys: 'keys',
  staff: 'people who work there',
  desks: 'desks',
  enrolment_codes: 'codes for desks',
  break_glass: 'emergency accesses',
} as const;

/** Teams are also made with their first key, person or desk. */
export class TeamStore {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  async list(teamId?: string): Promise<ListedTeam[]> {
    const rows = await this.#changes.db
      .selectFrom('teams')
      .selectAll()
      .$if(teamId !== undefined, (query) => query.where('team_id', '=', checkTeam(teamId ?? '')))
      .orderBy('created_ms')
      .orderBy('team_id')
      .execute();
    return rows.map(({ team_id: teamId, name, created_ms: created }) => ({
      ...{ teamId, name: name ?? undefined, created: new Date(created) },
    }));
  }

  async create(id: string, name: string): Promise<void> {
    const teamId = checkTeam(id);
    const row = { team_id: teamId, name: checkName(name), created_ms: this.#changes.now() };
    await this.#changes.make(async (transaction) => {
      const { numInsertedOrUpdatedRows: made } = await transaction
        .insertInto('teams')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (made !== 1n) {
        throw new RuleError('This team exists already.', 'team');
      }
      const act = { operation: ACCESS_ACTS.createTeam, teamId, keyId: null, details: {} };
      return { act, result: undefined };
    });
  }

  /** @throws OperatorError naming what the team still has, also what is revoked: the audit log names it by its id */
  async delete(id: string): Promise<void> {
    const teamId = checkTeam(id);
    await this.#changes.make(async (transaction) => {
      const has: string[] = [];
      for (const [table, word] of Object.entries(NAMED_BY) as [keyof typeof NAMED_BY, string][]) {
        const { count } = await transaction
          .selectFrom(table)
          .select((row) => row.fn.countAll<number | string>().as('count'))
          .where('team_id', '=', teamId)
          .executeTakeFirstOrThrow();
        if (Number(count) > 0) {
          has.push(`${word} (${count})`);
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
      const act = { operation: ACCESS_ACTS.deleteTeam, teamId, keyId: null, details: {} };
      return { act, result: undefined };
    });
  }
}
