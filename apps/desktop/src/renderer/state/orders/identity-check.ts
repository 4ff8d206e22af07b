import { isCalendarDate } from '@caregate/domain';
import type { Insurance, LabOrderResult, LabResultMetadata, User } from '@caregate/domain';

type BirthDateOf = 'person' | 'insured';

/** A lab result has no user id: only birth dates tell whether it is about the person. */
export type IdentityCheck =
  | { readonly kind: 'match'; readonly of: readonly BirthDateOf[] }
  | {
      readonly kind: 'mismatch';
      /** YYYY-MM-DD */
      readonly lab: string;
      readonly other: string;
      readonly of: BirthDateOf;
      readonly swapped: boolean;
    }
  | { readonly kind: 'unreadable'; readonly raw: string }
  | { readonly kind: 'notComparable'; readonly lacking: 'person' | 'lab' | 'birthDate' };

export function checkIdentity(parts: {
  readonly result: Pick<LabOrderResult, 'metadata'>;
  readonly person: Pick<User, 'fallback_birth_date'> | undefined;
  readonly insurance?: Pick<Insurance, 'relationship' | 'insured'> | undefined;
}): IdentityCheck {
  const { result, person, insurance } = parts;
  const raw = result.metadata.dob ?? '';
  if (person === undefined) return { kind: 'notComparable', lacking: 'person' };
  if (raw.trim() === '') return { kind: 'notComparable', lacking: 'lab' };
  const lab = dayMonthYear(raw);
  if (lab === undefined) return { kind: 'unreadable', raw };
  const others = [
    ['person', person.fallback_birth_date?.value],
    // Only the patient's own insurance counts.
    ['insured', insurance?.relationship === 'Self' ? insurance.insured.dob : undefined],
  ] as const;
  const known = others.filter((entry): entry is [BirthDateOf, string] => Boolean(entry[1]));
  const other = known.find(([, date]) => date !== lab);
  if (other !== undefined) {
    const [of, date] = other;
    return { kind: 'mismatch', lab, other: date, of, swapped: swappedOf(lab) === date };
  }
  if (known.length === 0) return { kind: 'notComparable', lacking: 'birthDate' };
  return { kind: 'match', of: known.map(([of]) => of) };
}

export function needsLook(check: IdentityCheck): boolean {
  return check.kind === 'mismatch' || check.kind === 'unreadable';
}

/** day/month/year as YYYY-MM-DD; undefined for any other text. */
export function dayMonthYear(raw: string): string | undefined {
  const [, day, month, year] = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/u.exec(raw) ?? [];
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

function swappedOf(date: string): string {
  const [year, month, day] = date.split('-');
  return [year, day, month].join('-');
}

type Patient = Pick<LabResultMetadata, 'patient' | 'dob'>;

/** Names and birth dates that both reports have are equal, but for case and word order. */
export function isSamePatient(one: Patient, other: Patient): boolean {
  return isSame(wordsOf(one.patient), wordsOf(other.patient)) && isSame(one.dob, other.dob);
}

function isSame(one: string | null | undefined, other: string | null | undefined): boolean {
  const [mine, theirs] = [one?.trim() ?? '', other?.trim() ?? ''];
  return mine === '' || theirs === '' || mine === theirs;
}

function wordsOf(name: string | null | undefined): string {
  const words =
    (name ?? '')
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.toSorted().join(' ');
}
