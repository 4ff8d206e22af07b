import { bodyColumns } from './schema.ts';
import type { Queryable } from './stored-tree.ts';

const erased = ['salt', 'body', 'patients', ...Object.keys(bodyColumns)]
  .map((name) => `${name} = null`)
  .join(', ');

/**
 * Erases the entries before record `before` of a log, and what stands beside them for queries; leaves, tiles, seals and
 * checkpoints stay. As the owner of the tables, whose triggers are past for this statement and there again after it: all
 * sessions wait meanwhile. Whether the cut is valid is the caller's to check, and the verification's.
 *
 * @returns the number of entries that were erased
 */
export async function eraseEntries(
  session: Queryable,
  logId: string,
  before: number,
): Promise<number> {
  await session.query('begin');
  try {
    await session.query('alter table audit.audit_event disable trigger audit_event_append_only');
    const { rows } = await session.query(
      `with entries as (
         update audit.audit_event set ${erased} where log_id = $1 and seq < $2 and body is not null returning 1
       )
       select count(*)::int as count from entries`,
      [logId, before],
    );
    await session.query(
      'alter table audit.audit_event enable always trigger audit_event_append_only',
    );
    await session.query('commit');
    return rows[0]?.['count'] as number;
  } catch (error) {
    await session.query('rollback');
    throw error;
  }
}
