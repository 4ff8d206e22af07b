import { createHmac, randomBytes } from 'node:crypto';
import type { ImportDatabase } from '../import-database.ts';
import { joinKey, type PersonKey } from '../schema.ts';

export async function findErased(
  db: Pick<ImportDatabase, 'find'>,
  people: readonly PersonKey[],
): Promise<ReadonlySet<string>> {
  const secret = people.length === 0 ? undefined : await readSecret(db);
  if (secret === undefined) {
    return new Set();
  }
  const rows = people.map((person) => ({
    key: joinKey(person.team_id, person.user_id),
    row: { team_id: person.team_id, person_hash: hashPerson(secret, person) },
  }));
  const found = await db.find(
    'erased_people',
    ['team_id', 'person_hash'],
    rows.map(({ row }) => row),
  );
  const hashes = new Set(found.map((row) => joinKey(row.team_id, row.person_hash)));
  return new Set(
    rows.flatMap(({ key, row }) =>
      hashes.has(joinKey(row.team_id, row.person_hash)) ? [key] : [],
    ),
  );
}

/** Stores the hash of an erased person. Call it in the transaction that erases them. */
export async function noteErased(
  db: Pick<ImportDatabase, 'find' | 'transaction'>,
  person: PersonKey,
): Promise<void> {
  await db.transaction
    .insertInto('erasure_secret')
    .values({ id: 1, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const secret = await readSecret(db);
  await db.transaction
    .insertInto('erased_people')
    .values({ team_id: person.team_id, person_hash: hashPerson(secret ?? Buffer.alloc(0), person) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Identifies a person by client user ID instead of user ID, since HL7 messages don't contain user IDs. */
export function buildClientKey(team_id: Uint8Array, clientUserId: string): PersonKey {
  return { team_id, user_id: Buffer.from(`client user id: ${clientUserId}`) };
}

async function readSecret(db: Pick<ImportDatabase, 'find'>): Promise<Uint8Array | undefined> {
  const [row] = await db.find('erasure_secret', ['secret'], [{ id: 1 }]);
  return row?.secret;
}

function hashPerson(secret: Uint8Array, { team_id, user_id }: PersonKey): Buffer {
  return createHmac('sha256', secret).update(team_id).update(user_id).digest();
}
