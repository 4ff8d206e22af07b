import type { Insurance } from '@caregate/domain';
import type { MessageKey } from '../../text/text.tsx';

/** One labelled value of an insurance. */
export interface Fact {
  readonly label: MessageKey;
  /** Exactly as it came; undefined where nothing is recorded. */
  readonly value: string | undefined;
  /** Ids, dates and codes, which are read from left to right in every language. */
  readonly kind: 'text' | 'code' | 'date' | 'relationship' | 'gender';
}

/** The four things that the desk is asked for, in this order. */
export function cardFacts(insurance: Insurance): readonly Fact[] {
  return [
    { label: 'insurance.memberId', value: insurance.member_id, kind: 'code' },
    { label: 'insurance.groupId', value: insurance.group_id ?? undefined, kind: 'code' },
    { label: 'insurance.payorCode', value: insurance.payor_code, kind: 'code' },
    { label: 'insurance.relationship', value: insurance.relationship, kind: 'relationship' },
  ];
}

/** The person in whose name it is. */
export function insuredFacts({ insured }: Insurance): readonly Fact[] {
  const fact = (
    label: MessageKey,
    value: string | null | undefined,
    kind: Fact['kind'] = 'text',
  ): Fact => ({ label, value: value === null || value === '' ? undefined : value, kind });
  const { address } = insured;
  const place = joined(' ', [address?.state, address?.zip_code]);
  const lines = [address?.first_line, address?.second_line, address?.city, place];
  return [
    fact('insurance.name', joined(' ', [insured.first_name, insured.last_name])),
    fact('insurance.birthDate', insured.dob, 'date'),
    fact('insurance.gender', insured.gender, 'gender'),
    fact('insurance.phone', insured.phone_number, 'code'),
    fact('insurance.email', insured.email, 'code'),
    fact('insurance.address', joined(', ', lines)),
  ];
}

/** What is there, as it came. */
function joined(between: string, parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(between);
}

/** What the insured person is called. Only `Self`, and no value that isn't known, means the patient. */
export function insuredHeading({ relationship }: Insurance): MessageKey {
  return relationship === 'Self' ? 'insurance.insured' : 'insurance.subscriber';
}

const words: Readonly<Record<string, MessageKey>> = {
  'relationship:Self': 'insurance.relationship.Self',
  'relationship:Spouse': 'insurance.relationship.Spouse',
  'relationship:Other': 'insurance.relationship.Other',
  'gender:female': 'insurance.gender.female',
  'gender:male': 'insurance.gender.male',
  'gender:other': 'insurance.gender.other',
  'gender:unknown': 'insurance.gender.unknown',
};

/** The word for a value of a known set; undefined for any other, which is shown as it came. */
export function wordFor({ kind, value }: Fact): MessageKey | undefined {
  const key = `${kind}:${value ?? ''}`;
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
