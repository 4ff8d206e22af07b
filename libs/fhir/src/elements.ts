import {
  toInstant,
  isCalendarDate,
  isDateTime,
  readGender,
  type KnownGender,
} from '@caregate/domain';
import type {
  Address,
  CodeableConcept,
  ContactPoint,
  Extension,
  HumanName,
  Identifier,
  Meta,
  Reference,
} from 'fhir/r4.js';

/**
 * Builders of FHIR elements. FHIR doesn't allow empty strings, objects or arrays, so the builders return `undefined`
 * instead.
 */

export const HL7 = 'http://terminology.hl7.org/CodeSystem';
export const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
export const URIS = 'urn:ietf:rfc:3986';

type Nullable<T> = T | null | undefined;

/**
 * Returns `undefined` for blank text. Replaces control characters and unusual spaces with plain spaces, since FHIR's
 * `string` pattern rejects them.
 */
export function cleanText(value: Nullable<string>): string | undefined {
  const plain = value?.replace(/[^\S \t\r\n]|[\0-\x08\x0e-\x1f]/gu, (other) =>
    other === '\u2028' || other === '\u2029' ? '\n' : ' ',
  );
  return plain === undefined || plain.trim() === '' ? undefined : plain;
}

export function list<T>(...items: readonly (T | undefined)[]): T[] | undefined {
  const present = items.filter((item) => item !== undefined);
  return present.length === 0 ? undefined : present;
}

/** Names the US Core profile without a version, so that the resource claims any version that it satisfies. */
export function buildMeta(profile: string, changedUs: number): Meta {
  return { profile: [`${US_CORE}/${profile}`], lastUpdated: formatInstant(changedUs) };
}

/** @param us microseconds since 1970 */
export function formatInstant(us: number): string {
  const ms = Math.floor(us / 1000);
  const microseconds = String(us - ms * 1000).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${microseconds}Z`);
}

const FHIR_INSTANT =
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/u;

/**
 * Returns the date-time as it is written if FHIR accepts it, otherwise in UTC. FHIR rejects lower-case letters and
 * offsets beyond 14 hours.
 */
export function toFhirInstant(value: Nullable<string>): string | undefined {
  if (value === null || value === undefined || !isDateTime(value)) return undefined;
  return FHIR_INSTANT.test(value) ? value : formatInstant(toInstant(value));
}

export function toFhirDate(value: Nullable<string>): string | undefined {
  return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
}

export function buildAbsentReason(reason: 'unknown' | 'masked'): Extension[] {
  return [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: reason }];
}

export function buildCodedConcept(system: string, code: string): CodeableConcept {
  return { coding: [{ system, code }] };
}

/** Returns a CodeableConcept with the coding and the text that are present, or `undefined` if neither is. */
export function buildConcept(
  code: CodeableConcept | undefined,
  words?: Nullable<string>,
): CodeableConcept | undefined {
  const plain = cleanText(words);
  return plain === undefined ? code : { ...code, text: plain };
}

/** Like `buildConcept`, for elements that FHIR requires: absent data is marked with the data-absent-reason extension. */
export function buildRequiredConcept(
  code: CodeableConcept | undefined,
  words: Nullable<string>,
): CodeableConcept {
  return buildConcept(code, words) ?? { extension: buildAbsentReason('unknown') };
}

export function buildPatientReference(userId: string): Reference {
  return { reference: `Patient/${userId.toLowerCase()}` };
}

/** Refers by identifier or display to something that has no resource on this server. */
export function buildLogicalReference(
  type: 'Organization' | 'Practitioner' | 'Specimen',
  id: Nullable<string>,
  display: Nullable<string>,
  system?: string,
): Reference | undefined {
  const [value, name] = [cleanText(id), cleanText(display)];
  if (value === undefined && name === undefined) return undefined;
  const identifier: Identifier | undefined = value === undefined ? undefined : { system, value };
  return { type, identifier, display: name };
}

export function buildUuidIdentifier(uuid: string): Identifier {
  return { system: URIS, value: `urn:uuid:${uuid.toLowerCase()}` };
}

export function buildHumanName(
  given: Nullable<string>,
  family: Nullable<string>,
): HumanName | undefined {
  const name: HumanName = { given: list(cleanText(given)), family: cleanText(family) };
  return name.given === undefined && name.family === undefined ? undefined : name;
}

export function buildTelecom(
  phone: Nullable<string>,
  email: Nullable<string>,
): ContactPoint[] | undefined {
  const points: ContactPoint[] = [
    { system: 'phone', value: cleanText(phone) },
    { system: 'email', value: cleanText(email) },
  ];
  return list(...points.filter(({ value }) => value !== undefined));
}

interface PostalAddress {
  readonly first_line?: Nullable<string>;
  readonly second_line?: Nullable<string>;
  readonly city?: Nullable<string>;
  readonly state?: Nullable<string>;
  readonly country?: Nullable<string>;
}

export function buildAddress(
  source: Nullable<PostalAddress>,
  zip: Nullable<string>,
): Address[] | undefined {
  const result: Address = {
    line: list(cleanText(source?.first_line), cleanText(source?.second_line)),
    city: cleanText(source?.city),
    state: cleanText(source?.state),
    postalCode: cleanText(zip),
    country: cleanText(source?.country),
  };
  return Object.values(result).every((part) => part === undefined) ? undefined : [result];
}

/** Maps an unknown word to `other`, and absent text to `undefined`. */
export function toFhirGender(value: Nullable<string>): KnownGender | undefined {
  const plain = cleanText(value);
  return plain === undefined ? undefined : (readGender(plain) ?? 'other');
}
