import { AuditBrokenError } from '../../errors.ts';
import { auditTables, refusal } from './schema.ts';
import type { Queryable } from './stored-tree.ts';

// pg_trigger.tgtype: before (2), delete (8), update (16), truncate (32); per statement, not row (1).
const refusesAll = 2 + 8 + 16 + 32;

/** Another trigger, a rule or row security could change or hide rows. @throws AuditBrokenError unless tables are as made */
export async function requireTriggers(db: Queryable): Promise<void> {
  const { rows } = await db.query(
    `select c.relname as name,
       count(*) filter (
         where t.tgname = c.relname || '_append_only' and t.tgtype = $2 and t.tgenabled = 'A'
           and t.tgqual is null and t.tgattr = '' and p.prosrc = $3 and l.lanname = 'plpgsql'
       )::int as ours,
       count(t.oid)::int as triggers,
       c.relkind = 'r' and not c.relrowsecurity and not c.relhasrules as plain
     from pg_class c
     left join pg_trigger t on t.tgrelid = c.oid
     left join pg_proc p on p.oid = t.tgfoid
     left join pg_language l on l.oid = p.prolang
     where c.oid = any(array(select to_regclass('audit.' || name) from unnest($1::text[]) as w (name)))
     group by c.oid, c.relname`,
    [[...auditTables], refusesAll, refusal],
  );
  const isAsMade = ({ ours, triggers, plain }: Record<string, unknown>): boolean =>
    ours === 1 && triggers === 1 && plain === true;
  const changed = rows.find((row) => !isAsMade(row));
  if (changed !== undefined || rows.length !== auditTables.length) {
    const table = changed === undefined ? 'One' : `audit.${String(changed['name'])}`;
    throw new AuditBrokenError(
      'altered',
      `The tables or triggers were changed: ${table} is not as it was made`,
    );
  }
}
