import { isCalendarDate, type Order, type PersonSource } from '@caregate/domain';
import { toNonBlank } from './name-text.ts';

export interface PersonFacts {
  readonly userId: string;
  /** Absent if only orders of the person exist. */
  readonly clientUserId?: string | undefined;
  /** Most reliable source first (info, insurance, lab reports and orders), then newest first. */
  readonly facts: readonly PersonFact[];
}

export interface PersonFact {
  readonly source: PersonSource;
  /** Date of the record, YYYY-MM-DD. */
  readonly asOf?: string | undefined;
  readonly name?: string | undefined;
  readonly birthDate?: string | undefined;
  readonly phone?: string | undefined;
  readonly town?: string | undefined;
}

const trust: readonly string[] = ['info', 'insurance', 'lab_report', 'order', 'user'];
/** Limit of facts from one source, which no real person reaches. */
const mostOfOneSource = 20;

export function sortFacts(facts: readonly PersonFact[]): PersonFact[] {
  const sorted = facts.toSorted(
    (one, other) =>
      trust.indexOf(one.source) - trust.indexOf(other.source) ||
      ((one.asOf ?? '') < (other.asOf ?? '') ? 1 : (one.asOf ?? '') > (other.asOf ?? '') ? -1 : 0),
  );
  const distinct = new Map<string, PersonFact>();
  const counts = new Map<string, number>();
  for (const fact of sorted) {
    const { source, name, birthDate, phone, town } = fact;
    const key = JSON.stringify([source, name, birthDate, phone, town]);
    const count = counts.get(source) ?? 0;
    if (!distinct.has(key) && count < mostOfOneSource) {
      distinct.set(key, fact);
      counts.set(source, count + 1);
    }
  }
  return [...distinct.values()];
}

export function withoutLabs(person: PersonFacts): PersonFacts {
  const facts = person.facts.filter(({ source }) => source !== 'lab_report' && source !== 'order');
  return { ...person, facts };
}

export function toOrderFacts(order: Order): PersonFact[] {
  const patient = order.patient_details;
  if (patient === null || patient === undefined) {
    return [];
  }
  const name =
    toNonBlank([patient.first_name, patient.last_name].filter(Boolean).join(' ')) ??
    toNonBlank(order.patient_name);
  const birthDate = (patient.dob ?? '').slice(0, 10);
  return [
    {
      source: 'order',
      name,
      birthDate: isCalendarDate(birthDate) ? birthDate : undefined,
      phone: toNonBlank(patient.phone_number),
      asOf: (order.updated_at ?? order.created_at)?.slice(0, 10),
    },
  ];
}
