import { isUuid } from '@caregate/domain';
import type { Kysely } from 'kysely';
import type { AccessSchema } from './access-schema.ts';

export interface AccessNames {
  readonly actors: ReadonlyMap<string, string>;
  readonly desks: ReadonlyMap<string, string>;
  readonly reasons: ReadonlyMap<string, string>;
}

interface NamedIds {
  readonly actors: Iterable<string | null>;
  readonly desks: Iterable<string | null>;
  readonly grants: Iterable<string | null>;
}

const NAMES = {
  staff: ['staff_id', 'name'],
  keys: ['key_id', 'label'],
  desks: ['desk_id', 'name'],
  break_glass: ['grant_id', 'reason_code'],
} as const;

/** Reads the names that belong to the ids of audit records: the log itself holds no names. */
export class AccessNameStore {
  readonly #db: Kysely<Record<string, Record<string, string>>>;

  constructor(db: Kysely<AccessSchema>) {
    this.#db = db as unknown as Kysely<Record<string, Record<string, string>>>;
  }

  /** @param teamId ids of other teams have no names */
  async namesOf(teamId: string, ids: NamedIds): Promise<AccessNames> {
    const actors = known(ids.actors);
    const keyIds = actors.filter((id) => !isUuid(id));
    const [staff, keys, desks, reasons] = await Promise.all([
      this.#names('staff', teamId, actors.filter(isUuid)),
      this.#names('keys', teamId, keyIds),
      this.#names('desks', teamId, known(ids.desks)),
      this.#names('break_glass', teamId, known(ids.grants)),
    ]);
    return { actors: new Map([...staff, ...keys]), desks, reasons };
  }

  async #names(
    table: keyof typeof NAMES,
    teamId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) {
      return new Map();
    }
    const [id, name] = NAMES[table];
    const rows = await this.#db
      .selectFrom(table)
      .select([`${id} as id`, `${name} as name`])
      .where('team_id', '=', teamId)
      .where(id, 'in', ids)
      .execute();
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}

function known(ids: Iterable<string | null>): readonly string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}
