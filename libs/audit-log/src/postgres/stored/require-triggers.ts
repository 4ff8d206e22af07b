import { AuditBrokenError } from '../../errors.ts';
import { auditTables, refusal } from './schema.ts';
import type { Queryable } from './stored-tree.ts';

// pg_trigger.tgtype: before (2), delete (8), update (16), truncate (32); of a statement, not of a row (1).
const refusesAll = 2 + 8 + 16 + 32;

/**
 * Checks that every table rejects UPDATE, DELETE and TRUNCATE: its trigger is unchanged, always enabled, and calls the
 * function that raises the error.
 *
 * @throws AuditBrokenError
 */
export async function requireTriggers(db: Queryable): Promise<void> {
  const { rows } = await db.query(
    `select c.relname as name from pg_trigger t
     join pg_class c on c.oid = t.tgrelid
     join pg_proc p on p.oid = t.tgfoid
     where c.oid = any(array(select to_regclass('audit.' || name) from unnest($1::text[]) as w (name)))
       and t.tgname = c.relname || '_append_only' and t.tgtype = $2 and t.tgenabled = 'A'
       and t.tgqual is null and p.prosrc = $3`,
    [[...auditTables], refusesAll, refusal],
  );
  if (rows.length !== auditTables.length) {
    throw new AuditBrokenError('altered', 'The tables or triggers were changed');
  }
}
