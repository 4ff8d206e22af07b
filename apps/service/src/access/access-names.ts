import { isUuid } from '@caregate/domain';
import type { Kysely } from 'kysely';
import type { AccessSchema } from './access-schema.ts';

/** Names as of now, of one team alone; what is not there has none. */
export interface AccessNames {
  /** Names of staff members and labels of keys, by their ids. */
  readonly actors: ReadonlyMap<string, string>;
  /** By desk id. */
  readonly desks: ReadonlyMap<string, string>;
  /** Reason codes by the ids of grants of emergency access. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Ids that records hold. */
interface NamedIds {
  readonly actors: Iterable<string | null>;
  readonly desks: Iterable<string | null>;
  readonly grants: Iterable<string | null>;
}

/** Reads the names that belong to the ids of audit records: the log itself holds no names. */
export class AccessNameStore {
  readonly #db: Kysely<AccessSchema>;

  constructor(db: Kysely<AccessSchema>) {
    this.#db = db;
  }

  /** @param teamId ids of other teams have no names */
  async namesOf(teamId: string, ids: NamedIds): Promise<AccessNames> {
    const actors = known(ids.actors);
    const [staff, keys, desks, reasons] = await Promise.all([
      this.#staff(teamId, actors.filter(isUuid)),
      this.#keys(
        teamId,
        actors.filter((id) => !isUuid(id)),
      ),
      this.#desks(teamId, known(ids.desks)),
      this.#reasons(teamId, known(ids.grants)),
    ]);
    return {
      actors: new Map([...staff, ...keys]),
      desks: new Map(desks),
      reasons: new Map(reasons),
    };
  }

  async #staff(teamId: string, ids: readonly string[]): Promise<[string, string][]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await this.#db
      .selectFrom('staff')
      .select(['staff_id', 'name'])
      .where('team_id', '=', teamId)
      .where('staff_id', 'in', ids)
      .execute();
    return rows.map((row) => [row.staff_id, row.name]);
  }

  async #desks(teamId: string, ids: readonly string[]): Promise<[string, string][]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await this.#db
      .selectFrom('desks')
      .select(['desk_id', 'name'])
      .where('team_id', '=', teamId)
      .where('desk_id', 'in', ids)
      .execute();
    return rows.map((row) => [row.desk_id, row.name]);
  }

  async #keys(teamId: string, ids: readonly string[]): Promise<[string, string][]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await this.#db
      .selectFrom('keys')
      .select(['key_id', 'label'])
      .where('team_id', '=', teamId)
      .where('key_id', 'in', ids)
      .execute();
    return rows.map((row) => [row.key_id, row.label]);
  }

  async #reasons(teamId: string, ids: readonly string[]): Promise<[string, string][]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await this.#db
      .selectFrom('break_glass')
      .select(['grant_id', 'reason_code'])
      .where('team_id', '=', teamId)
      .where('grant_id', 'in', ids)
      .execute();
    return rows.map((row) => [row.grant_id, row.reason_code]);
  }
}

function known(ids: Iterable<string | null>): readonly string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}
