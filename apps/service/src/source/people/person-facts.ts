import { isCalendarDate, type Order, type PersonSource } from '@caregate/domain';
import { named } from './name-text.ts';

/** What is known of a person, as it is searched and shown: one fact a record that tells something. */
export interface PersonFacts {
  readonly userId: string;
  /** Absent where only orders are known. */
  readonly clientUserId?: string | undefined;
  /** In the order of how much they are believed: info, insurance, lab reports and orders; newest first. */
  readonly facts: readonly PersonFact[];
}

/** What one record says of a person. */
export interface PersonFact {
  readonly source: PersonSource;
  /** Day of the record, YYYY-MM-DD. */
  readonly asOf?: string | undefined;
  readonly name?: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate?: string | undefined;
  readonly phone?: string | undefined;
  /** With its state. */
  readonly town?: string | undefined;
}

const trust: readonly string[] = ['info', 'insurance', 'lab_report', 'order', 'user'];
/** More distinct facts of one source than any person has; the newest are kept. */
const mostOfOneSource = 20;

/** Facts in their order, without those that say nothing new: of facts that say the same, the newest is kept. */
export function orderedFacts(facts: readonly PersonFact[]): PersonFact[] {
  const sorted = facts.toSorted(
    (one, other) =>
      trust.indexOf(one.source) - trust.indexOf(other.source) ||
      ((one.asOf ?? '') < (other.asOf ?? '') ? 1 : (one.asOf ?? '') > (other.asOf ?? '') ? -1 : 0),
  );
  const kept = new Map<string, PersonFact>();
  const counts = new Map<string, number>();
  for (const fact of sorted) {
    const { source, name, birthDate, phone, town } = fact;
    const key = JSON.stringify([source, name, birthDate, phone, town]);
    const count = counts.get(source) ?? 0;
    if (!kept.has(key) && count < mostOfOneSource) {
      kept.set(key, fact);
      counts.set(source, count + 1);
    }
  }
  return [...kept.values()];
}

export const everything = (facts: PersonFacts): PersonFacts => facts;

/** What is known of a person without lab reports and orders, for who may not see those. */
export function withoutLabs(known: PersonFacts): PersonFacts {
  const facts = known.facts.filter(({ source }) => source !== 'lab_report' && source !== 'order');
  return { ...known, facts };
}

/** What an order itself says of its patient, if anything. */
export function orderFact(order: Order): PersonFact[] {
  const patient = order.patient_details;
  if (patient === null || patient === undefined) {
    return [];
  }
  const name =
    named([patient.first_name, patient.last_name].filter(Boolean).join(' ')) ??
    named(order.patient_name);
  const birthDate = (patient.dob ?? '').slice(0, 10);
  return [
    {
      source: 'order',
      name,
      birthDate: isCalendarDate(birthDate) ? birthDate : undefined,
      phone: named(patient.phone_number),
      asOf: (order.updated_at ?? order.created_at)?.slice(0, 10),
    },
  ];
}
