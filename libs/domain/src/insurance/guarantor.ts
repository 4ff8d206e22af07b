import type { Insurance, InsuredPerson } from '../generated/types.ts';

const MEMBERS = ['first_name', 'last_name', 'dob', 'gender', 'phone_number', 'email'] as const;
const ADDRESS_MEMBERS = ['first_line', 'second_line', 'zip_code', 'state', 'city'] as const;

/** Who pays what the insurance does not; members as of the insured person. */
export type Guarantor = Partial<
  Pick<InsuredPerson, (typeof MEMBERS)[number]> & {
    readonly address: Partial<NonNullable<InsuredPerson['address']>>;
  }
>;

/** The guarantor of an insurance, which the interface does not have and some upstreams send; only its texts are believed. */
export function guarantorOf(insurance: Insurance): Guarantor | undefined {
  const { guarantor } = insurance as { guarantor?: unknown };
  const person = textsOf(guarantor, MEMBERS);
  const address = textsOf(
    (guarantor as { address?: unknown } | null | undefined)?.address,
    ADDRESS_MEMBERS,
  );
  const isEmpty = Object.keys(person).length === 0 && Object.keys(address).length === 0;
  return isEmpty ? undefined : { ...person, address };
}

function textsOf<Name extends string>(
  of: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  if (typeof of === 'object' && of !== null) {
    for (const name of names) {
      const value = (of as Partial<Record<Name, unknown>>)[name];
      if (typeof value === 'string' && value.trim() !== '') found[name] = value;
    }
  }
  return found;
}
