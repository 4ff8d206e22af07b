import type { Insurance } from '@caregate/domain';
import type { MessageKey } from '../../text/text.tsx';

export interface Fact {
  readonly label: MessageKey;
  readonly value: string | undefined;
  readonly kind: 'text' | 'code' | 'date' | 'relationship' | 'gender';
}

export function cardFacts(insurance: Insurance): readonly Fact[] {
  return [
    { label: 'insurance.memberId', value: insurance.member_id, kind: 'code' },
    { label: 'insurance.groupId', value: insurance.group_id ?? undefined, kind: 'code' },
    { label: 'insurance.payorCode', value: insurance.payor_code, kind: 'code' },
    { label: 'insurance.relationship', value: insurance.relationship, kind: 'relationship' },
  ];
}

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

function joined(between: string, parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(between);
}

/** Only `Self` means the patient. */
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

export function wordFor({ kind, value }: Fact): MessageKey | undefined {
  const key = `${kind}:${value ?? ''}`;
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
