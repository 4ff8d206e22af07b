import type { Insurance, InsuredPerson } from '../generated/types.ts';

const MEMBERS = ['first_name', 'last_name', 'dob', 'gender', 'phone_number', 'email'] as const;
const ADDRESS_MEMBERS = ['first_line', 'second_line', 'zip_code', 'state', 'city'] as const;

/** The person who pays what the insurance doesn't cover. Has the same members as the insured person. */
export type Guarantor = Partial<
  Pick<InsuredPerson, (typeof MEMBERS)[number]> & {
    readonly address: Partial<NonNullable<InsuredPerson['address']>>;
  }
>;

/**
 * Returns the guarantor of an insurance. The interface document has no such member, but some upstreams send it, so
 * only members with text are used.
 */
export function readGuarantor(insurance: Insurance): Guarantor | undefined {
  const { guarantor } = insurance as { guarantor?: unknown };
  const person = readTexts(guarantor, MEMBERS);
  const address = readTexts(
    (guarantor as { address?: unknown } | null | undefined)?.address,
    ADDRESS_MEMBERS,
  );
  const isEmpty = Object.keys(person).length === 0 && Object.keys(address).length === 0;
  return isEmpty ? undefined : { ...person, address };
}

function readTexts<Name extends string>(
  source: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  if (typeof source === 'object' && source !== null) {
    for (const name of names) {
      const value = (source as Partial<Record<Name, unknown>>)[name];
      if (typeof value === 'string' && value.trim() !== '') found[name] = value;
    }
  }
  return found;
}
