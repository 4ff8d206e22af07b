import type { Insurance, User, UserInfo } from '@caregate/domain';
import { sortFacts, type PersonFact, type PersonFacts } from '../../people/person-facts.ts';
import { toNonBlank } from '../../people/name-text.ts';
import { parseStoredObject } from '../schema.ts';

export interface PersonRows {
  readonly userId: string;
  readonly clientUserId: string;
  readonly user: string;
  readonly infos: readonly RecordedRow[];
  readonly insurances: readonly RecordedRow[];
  readonly orders: readonly string[];
}

interface RecordedRow {
  readonly recorded_us: number;
  readonly body: string;
}

export function collectPersonFacts(rows: PersonRows): PersonFacts {
  const { userId, clientUserId } = rows;
  const { fallback_birth_date: birthDate, created_on: created } = parseStoredObject<User>(
    rows.user,
  );
  const facts: PersonFact[] = [
    ...rows.infos.map((row) => toInfoFact(parseStoredObject<UserInfo>(row.body), formatDay(row))),
    ...rows.insurances.flatMap((row) =>
      toInsuranceFacts(parseStoredObject<Insurance>(row.body), formatDay(row)),
    ),
    ...rows.orders.flatMap((text) => JSON.parse(text) as PersonFact[]),
    birthDate === null || birthDate === undefined
      ? { source: 'user', asOf: created?.slice(0, 10) }
      : { source: 'user', asOf: birthDate.updated_at.slice(0, 10), birthDate: birthDate.value },
  ];
  return { userId, clientUserId, facts: sortFacts(facts) };
}

function toInfoFact(info: Partial<UserInfo>, asOf: string): PersonFact {
  return {
    source: 'info',
    asOf,
    name: formatFullName(info.first_name, info.last_name),
    birthDate: info.dob ?? undefined,
    phone: toNonBlank(info.phone_number),
    town: formatTown(info.address),
  };
}

/** An insurance whose insured person isn't the patient only contributes its date. */
function toInsuranceFacts(
  { relationship, insured }: Partial<Insurance>,
  asOf: string,
): PersonFact[] {
  return relationship === 'Self' && insured !== undefined
    ? [
        {
          source: 'insurance',
          asOf,
          name: formatFullName(insured.first_name, insured.last_name),
          birthDate: insured.dob ?? undefined,
          phone: toNonBlank(insured.phone_number),
          town: formatTown(insured.address),
        },
      ]
    : [{ source: 'insurance', asOf }];
}

function formatTown(
  address: { readonly city?: string | null; readonly state?: string | null } | null | undefined,
): string | undefined {
  return toNonBlank(
    [toNonBlank(address?.city), toNonBlank(address?.state)].filter(Boolean).join(', '),
  );
}

const familyFirst = /^[\p{Script=Han}\p{Script=Hangul}\s]+$/u;

/** Han and Hangul names have the family name first, without a space. */
function formatFullName(
  first: string | null | undefined,
  last: string | null | undefined,
): string | undefined {
  const [given, family] = [toNonBlank(first), toNonBlank(last)];
  return given !== undefined && family !== undefined && familyFirst.test(given + family)
    ? `${family}${given}`
    : toNonBlank([given, family].filter(Boolean).join(' '));
}

function formatDay({ recorded_us: us }: RecordedRow): string {
  return new Date(us / 1000).toISOString().slice(0, 10);
}
