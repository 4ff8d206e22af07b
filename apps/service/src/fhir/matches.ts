import type { CodeableConcept, FhirResource, HumanName, Identifier } from 'fhir/r4.js';
import { matchesDate, parseSpan, type Span } from './fhir-date.ts';
import { listSpellings, splitWords } from '@caregate/data-store';
import type { SearchQuery, Token } from './search-query.ts';

const GENDER_SYSTEM = 'http://hl7.org/fhir/administrative-gender';

/** Whether a resource matches the search. */
export function matches(query: SearchQuery, resource: FhirResource): boolean {
  return (
    query.tokens.every(({ name, tokens }) => {
      const codes = listCodes(resource, name);
      return tokens.some((token) => codes.some((code) => matchesCode(token, code)));
    }) &&
    query.dates.every(({ name, date }) => matchesDate(date, getSpan(resource, name))) &&
    query.texts.every(({ name, text }) => matchesName(resource, name, text))
  );
}

/**
 * Whether each word is the beginning of a word in the family or given name. `name` was already matched by the people
 * index.
 */
function matchesName(resource: FhirResource, parameter: string, text: string): boolean {
  if (parameter !== 'family' && parameter !== 'given') {
    return true;
  }
  const [name] = (resource as SearchedResource).name ?? [];
  const part = parameter === 'family' ? name?.family : name?.given?.join(' ');
  const words = listSpellings(part ?? '');
  return splitWords(text).every((word) => words.some((one) => one.startsWith(word)));
}

interface Code {
  /** Undefined matches any system. */
  readonly system?: string | undefined;
  readonly code?: string | undefined;
}

export function matchesCode({ system, code }: Token, candidate: Code): boolean {
  return (
    (system === undefined || candidate.system === undefined || system === candidate.system) &&
    (code === undefined || code === candidate.code)
  );
}

/** The elements of the service's resources that searches use, by name. */
interface SearchedResource {
  readonly identifier?: Identifier[];
  readonly category?: CodeableConcept[];
  readonly code?: CodeableConcept;
  readonly status?: string;
  readonly effectiveDateTime?: string;
  readonly effectivePeriod?: { readonly start?: string; readonly end?: string };
  readonly authoredOn?: string;
  readonly name?: HumanName[];
  readonly gender?: string;
  readonly birthDate?: string;
}

function listCodes(resource: FhirResource, name: string): readonly Code[] {
  const searched = resource as SearchedResource;
  switch (name) {
    case '_id':
      return [{ code: resource.id }];
    case 'gender':
      return [{ system: GENDER_SYSTEM, code: searched.gender }];
    case 'status':
      return [{ code: searched.status }];
    case 'identifier':
      return (searched.identifier ?? []).map(({ system = '', value }) => ({ system, code: value }));
    case 'category':
      return (searched.category ?? []).flatMap(listCodings);
    default:
      return listCodings(searched.code ?? {});
  }
}

function listCodings({ coding = [] }: CodeableConcept): readonly Code[] {
  return coding.map(({ system = '', code }) => ({ system, code }));
}

export function getSpan(resource: FhirResource, name: string): Span | undefined {
  const searched = resource as SearchedResource;
  if (name === '_lastUpdated') {
    return parseSpan(resource.meta?.lastUpdated ?? '');
  }
  if (name === 'birthdate') {
    return parseSpan(searched.birthDate ?? '');
  }
  const { effectiveDateTime, effectivePeriod, authoredOn } = searched;
  const [from, until] =
    effectivePeriod === undefined
      ? [effectiveDateTime ?? authoredOn, effectiveDateTime ?? authoredOn]
      : [effectivePeriod.start, effectivePeriod.end];
  const [first, last] = [parseSpan(from ?? ''), parseSpan(until ?? '')];
  return first && last && { fromUs: first.fromUs, untilUs: last.untilUs };
}
