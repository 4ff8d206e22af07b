import { isUuid } from '@caregate/domain';
import type { Kysely } from 'kysely';
import { Repository } from './repository.ts';

type Names = ReadonlyMap<string, string>;

export interface AccessNames {
  readonly actors: Names;
  readonly desks: Names;
  readonly reasons: Names;
}

const NAMES = {
  staff: ['staff_id', 'name'],
  keys: ['key_id', 'label'],
  desks: ['desk_id', 'name'],
  break_glass: ['grant_id', 'reason_code'],
} as const;

/** Looks up the current names for the IDs in audit records, since the audit log contains no names. */
export class NameRepository extends Repository {
  /** @param teamId only IDs of this team get names */
  async findNames(
    teamId: string,
    ids: Readonly<Record<'actors' | 'desks' | 'grants', Iterable<string | null>>>,
  ): Promise<AccessNames> {
    const actors = [...ids.actors].filter((id) => id !== null);
    const [staff, keys, desks, reasons] = await Promise.all([
      this.#selectNames('staff', teamId, actors.filter(isUuid)),
      this.#selectNames(
        'keys',
        teamId,
        actors.filter((id) => !isUuid(id)),
      ),
      this.#selectNames('desks', teamId, ids.desks),
      this.#selectNames('break_glass', teamId, ids.grants),
    ]);
    return { actors: new Map([...staff, ...keys]), desks, reasons };
  }

  async #selectNames(
    table: keyof typeof NAMES,
    teamId: string,
    ids: Iterable<string | null>,
  ): Promise<Names> {
    const distinct = [...new Set(ids)].filter((id) => id !== null);
    if (distinct.length === 0) {
      return new Map();
    }
    const [id, name] = NAMES[table];
    const reader = this.database.reader as unknown as Kysely<
      Record<string, Record<string, string>>
    >;
    const rows = await reader
      .selectFrom(table)
      .select([`${id} as id`, `${name} as name`])
      .where('team_id', '=', teamId)
      .where(id, 'in', distinct)
      .execute();
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}
