import { type Guarantor, readGuarantor, type Insurance } from '@caregate/domain';
import type { MessageKey } from '../../i18n/text.tsx';

export interface Fact {
  readonly label: MessageKey;
  readonly value: string | undefined;
  readonly kind: 'text' | 'code' | 'date' | 'relationship' | 'gender';
}

export function listCardFacts(insurance: Insurance): readonly Fact[] {
  return [
    { label: 'insurance.memberId', value: insurance.member_id, kind: 'code' },
    { label: 'insurance.groupId', value: insurance.group_id ?? undefined, kind: 'code' },
    { label: 'insurance.payorCode', value: insurance.payor_code, kind: 'code' },
    { label: 'insurance.relationship', value: insurance.relationship, kind: 'relationship' },
  ];
}

export function listInsuredFacts({ insured }: Insurance): readonly Fact[] {
  return listPersonFacts(insured);
}

/** Empty where the insurance names no guarantor. */
export function listGuarantorFacts(insurance: Insurance): readonly Fact[] {
  const guarantor = readGuarantor(insurance);
  return guarantor === undefined
    ? []
    : listPersonFacts(guarantor).filter(({ value }) => value !== undefined);
}

function listPersonFacts(person: Insurance['insured'] | Guarantor): readonly Fact[] {
  const toFact = (
    label: MessageKey,
    value: string | null | undefined,
    kind: Fact['kind'] = 'text',
  ): Fact => ({ label, value: value === null || value === '' ? undefined : value, kind });
  const { address } = person;
  const place = joinParts(' ', [address?.state, address?.zip_code]);
  const lines = [address?.first_line, address?.second_line, address?.city, place];
  return [
    toFact('column.name', joinParts(' ', [person.first_name, person.last_name])),
    toFact('patient.born', person.dob, 'date'),
    toFact('patient.sex', person.gender, 'gender'),
    toFact('person.phone', person.phone_number, 'code'),
    toFact('person.email', person.email, 'code'),
    toFact('person.address', joinParts(', ', lines)),
  ];
}

function joinParts(separator: string, parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(separator);
}

/** Only `Self` means the patient. */
export function getInsuredHeading({ relationship }: Insurance): MessageKey {
  return relationship === 'Self' ? 'insurance.insured' : 'insurance.subscriber';
}

const words: Readonly<Record<string, MessageKey>> = {
  'relationship:Self': 'overview.policy.Self',
  'relationship:Spouse': 'overview.policy.Spouse',
  'relationship:Child': 'overview.policy.Child',
  'relationship:Parent': 'overview.policy.Parent',
  'relationship:Other': 'overview.policy.Other',
  'gender:female': 'sex.female',
  'gender:male': 'sex.male',
  'gender:other': 'sex.other',
  'gender:unknown': 'sex.unknown',
};

export function findWord({ kind, value }: Fact): MessageKey | undefined {
  const key = `${kind}:${value ?? ''}`;
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
