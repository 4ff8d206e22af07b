import type { Order } from '@caregate/domain';
import type { FhirResource } from 'fhir/r4.js';

/** Checks that no FHIR validator makes. */

/** The types that each reference may have, by the element that holds it. */
const TARGETS: Readonly<Record<string, string>> = {
  subject: 'Patient',
  beneficiary: 'Patient',
  patient: 'Patient',
  basedOn: 'ServiceRequest',
  result: 'Observation',
};

const CHOICE = /^(value|effective|deceased|multipleBirth|occurrence|onset)[A-Z]/u;

const STATUS_OF_ORDER: ReadonlyMap<unknown, string> = new Map([
  ...['received', 'collecting_sample', 'sample_with_lab'].map((each) => [each, 'active'] as const),
  ...['cancelled', 'failed'].map((each) => [each, 'revoked'] as const),
  ['completed', 'completed'],
]);

type Json = Readonly<Record<string, unknown>>;

/**
 * @param ids `Type/id` of all resources that the resource may refer to; @param order the order that a ServiceRequest
 * was converted from
 */
export function ownErrors(
  resource: FhirResource,
  ids: ReadonlySet<string>,
  order?: Order,
): string[] {
  const errors: string[] = [];
  const references: string[] = [];
  visit(resource, resource.resourceType, (object, at) => {
    const choices = Object.keys(object).flatMap((key) => CHOICE.exec(key)?.[1] ?? []);
    if (new Set(choices).size < choices.length) errors.push(`${at}: two of ${choices.join()}`);
    const { reference, start, end } = object;
    if (typeof end === 'string' && Date.parse(end) < Date.parse(String(start))) {
      errors.push(`${at}: ends before it starts`);
    }
    if (typeof reference === 'string') {
      references.push(reference);
      const [, element = ''] = /\.(\w+)$/u.exec(at) ?? [];
      const target = element === 'subscriber' ? 'Patient' : TARGETS[element];
      const isContained = element === 'subscriber' && reference.startsWith('#');
      if (!isContained && !(reference.startsWith(`${target}/`) && ids.has(reference))) {
        errors.push(`${at}: refers to ${reference}`);
      }
    }
  });
  const contained = 'contained' in resource ? (resource.contained ?? []) : [];
  const inside = contained.map(({ id }) => `#${id}`);
  const outside = references.filter((reference) => reference.startsWith('#'));
  if (inside.toSorted().join() !== outside.toSorted().join()) {
    errors.push(`contains ${inside.join()} and refers to ${outside.join()}`);
  }
  if (resource.resourceType === 'ServiceRequest' && order !== undefined) {
    const expected = STATUS_OF_ORDER.get(order.status) ?? 'unknown';
    if (resource.status !== expected) errors.push(`status is ${resource.status}, not ${expected}`);
  }
  for (const [element, concept] of Object.entries(resource) as [string, Json | undefined][]) {
    const isCode = element === 'code' || element === 'relationship';
    if (isCode && concept?.['coding'] === undefined && concept?.['text'] === undefined) {
      errors.push(`${element} is absent`);
    }
    if (element === '_status') errors.push('status is absent');
  }
  return errors.map((error) => `${resource.resourceType}/${resource.id}: ${error}`);
}

function visit(value: unknown, at: string, see: (object: Json, at: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, at, see);
  } else if (typeof value === 'object' && value !== null) {
    see(value as Json, at);
    for (const [key, inner] of Object.entries(value)) visit(inner, `${at}.${key}`, see);
  }
}
