import type { Kysely } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';
import { KeyRuleError } from './key-rules.ts';

/** They sign in with it at a desk, and disabling them revokes it. @throws KeyRuleError */
export async function setOwner(
  db: Kysely<AccessSchema>,
  { keyId }: { readonly keyId: string },
  key: { readonly team_id: string; readonly role: string },
  staffId: string,
): Promise<string> {
  const person = await db
    .selectFrom('staff')
    .selectAll()
    .where('staff_id', '=', staffId.toLowerCase())
    .where('disabled_ms', 'is', null)
    .executeTakeFirst();
  if (person === undefined) {
    throw new KeyRuleError('staff', 'No such staff member, or they are disabled.');
  }
  if (person.team_id !== key.team_id || person.role !== key.role) {
    throw new KeyRuleError('staff', `This person is ${person.role} of the team ${person.team_id}.`);
  }
  await db.insertInto('key_owners').values({ key_id: keyId, staff_id: person.staff_id }).execute();
  return person.staff_id;
}

export async function inheritOwner(
  db: Kysely<AccessSchema>,
  oldKeyId: string,
  newKeyId: string,
): Promise<void> {
  const owned = await db
    .selectFrom('key_owners')
    .select('staff_id')
    .where('key_id', '=', oldKeyId)
    .executeTakeFirst();
  if (owned !== undefined) {
    await db
      .insertInto('key_owners')
      .values({ key_id: newKeyId, staff_id: owned.staff_id })
      .execute();
  }
}
