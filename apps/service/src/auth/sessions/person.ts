import type { SignInRefusal } from '@caregate/domain';
import type { Kysely } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';
import type { StaffRow } from '../staff/staff-store.ts';

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly refusal: SignInRefusal;

  constructor(refusal: SignInRefusal, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
  }
}

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Only if the provider has verified it. */
  readonly email: string | undefined;
  readonly missingClaim?: string | undefined;
}

/** Whoever was added by e-mail address is bound to the subject that first signs in with it. @throws SignInError */
export async function findPerson(
  db: Kysely<AccessSchema>,
  { issuer, subject, email }: Person,
): Promise<{ readonly staff: StaffRow; readonly wasBound: boolean }> {
  const known = await db
    .selectFrom('staff')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (known !== undefined) {
    return { staff: enabled(known), wasBound: false };
  }
  if (email === undefined) {
    throw new SignInError('unknown-person');
  }
  const invited = await db
    .selectFrom('staff')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .where('subject', 'is', null)
    .executeTakeFirst();
  if (invited === undefined) {
    throw new SignInError('unknown-person');
  }
  const staff = enabled(invited);
  await db
    .updateTable('staff')
    .set({ issuer, subject })
    .where('staff_id', '=', staff.staff_id)
    .execute();
  return { staff: { ...staff, issuer, subject }, wasBound: true };
}

function enabled(row: StaffRow): StaffRow {
  if (row.disabled_ms !== null) {
    throw new SignInError('disabled');
  }
  return row;
}

/** Also deletes expired ones. @throws SignInError `used` */
export async function takeToken(
  db: Kysely<AccessSchema>,
  { hash, expiresMs }: { readonly hash: Uint8Array; readonly expiresMs: number },
  nowMs: number,
): Promise<void> {
  await db.deleteFrom('taken_tokens').where('expires_ms', '<', nowMs).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('taken_tokens')
    .values({ token_hash: hash, expires_ms: expiresMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) {
    throw new SignInError('used');
  }
}
