import { isCalendarDate } from '@caregate/domain';
import type { Insurance, LabOrderResult, LabResultMetadata } from '@caregate/domain';
import { splitName } from '../../search/same-name.ts';

type BirthDateSource = 'person' | 'insured';

/** The result of comparing a lab report with the open patient. A report has no user ID, so birth dates are compared. */
export type IdentityCheck =
  | { readonly kind: 'match'; readonly of: readonly BirthDateSource[] }
  | {
      readonly kind: 'mismatch';
      /** YYYY-MM-DD */
      readonly lab: string;
      readonly other: string;
      readonly of: BirthDateSource;
      readonly swapped: boolean;
    }
  | { readonly kind: 'unreadable'; readonly raw: string }
  | { readonly kind: 'notComparable'; readonly lacking: 'person' | 'lab' | 'birthDate' };

/** @param parts.birthDates all known birth dates of the open patient, as YYYY-MM-DD; undefined if no patient is open */
export function checkIdentity(parts: {
  readonly result: Pick<LabOrderResult, 'metadata'>;
  readonly birthDates: readonly string[] | undefined;
  readonly insurance?: Pick<Insurance, 'relationship' | 'insured'> | undefined;
}): IdentityCheck {
  const { result, birthDates, insurance } = parts;
  const raw = result.metadata.dob ?? '';
  if (birthDates === undefined) return { kind: 'notComparable', lacking: 'person' };
  if (raw.trim() === '') return { kind: 'notComparable', lacking: 'lab' };
  const lab = parseDayMonthYear(raw);
  if (lab === undefined) return { kind: 'unreadable', raw };
  const others: readonly (readonly [BirthDateSource, string | null | undefined])[] = [
    ...birthDates.map((date) => ['person', date] as const),
    // Only an insurance whose policyholder is the patient has the patient's birth date.
    ['insured', insurance?.relationship === 'Self' ? insurance.insured.dob : undefined],
  ];
  const comparable = others.filter((entry): entry is [BirthDateSource, string] =>
    Boolean(entry[1]),
  );
  const other = comparable.find(([, date]) => date !== lab);
  if (other !== undefined) {
    const [of, date] = other;
    return { kind: 'mismatch', lab, other: date, of, swapped: swapDayAndMonth(lab) === date };
  }
  if (comparable.length === 0) return { kind: 'notComparable', lacking: 'birthDate' };
  return { kind: 'match', of: [...new Set(comparable.map(([of]) => of))] };
}

export function needsLook(check: IdentityCheck): boolean {
  return check.kind === 'mismatch' || check.kind === 'unreadable';
}

/** Converts a day/month/year text to YYYY-MM-DD. Returns undefined for any other text. */
export function parseDayMonthYear(raw: string): string | undefined {
  const [, day, month, year] = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/u.exec(raw) ?? [];
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

function swapDayAndMonth(date: string): string {
  const [year, month, day] = date.split('-');
  return [year, day, month].join('-');
}

type Patient = Pick<LabResultMetadata, 'patient' | 'dob'>;

/**
 * Whether the names and birth dates in both are the same, ignoring case, accents, word order and middle names. A
 * missing value matches any other.
 */
export function isSamePatient(one: Patient, other: Patient): boolean {
  return (
    isSame(getFirstAndLastName(one.patient), getFirstAndLastName(other.patient)) &&
    isSame(one.dob, other.dob)
  );
}

function isSame(one: string | null | undefined, other: string | null | undefined): boolean {
  const [first, second] = [one?.trim() ?? '', other?.trim() ?? ''];
  return first === '' || second === '' || first === second;
}

/** Returns the first and last name in alphabetical order. The last name may come first, followed by a comma. */
function getFirstAndLastName(name: string | null | undefined): string {
  const [before = '', after] = (name ?? '').split(',', 2);
  const words = splitName(after === undefined ? before : `${after} ${before}`);
  const long = words.filter((word) => Array.from(word).length > 1);
  const [first = '', ...more] = long.length > 1 ? long : words;
  return [first, more.at(-1) ?? ''].toSorted().join(' ').trim();
}
