import type { Insurance, InsuredPerson } from '@caregate/domain';
import type { Coverage, RelatedPerson } from 'fhir/r4.js';
import {
  buildAbsentReason,
  buildAddress,
  buildCodedConcept,
  buildConcept,
  buildRequiredConcept,
  toFhirDate,
  toFhirGender,
  HL7,
  buildHumanName,
  list,
  buildLogicalReference,
  buildMeta,
  buildPatientReference,
  buildTelecom,
  cleanText,
} from './elements.ts';
import { buildCoverageId } from './ids.ts';

/** FHIR code of the patient's relationship to the policyholder, by the word that the interface document uses. */
const PATIENT_RELATIONSHIPS: ReadonlyMap<string, string> = new Map([
  ['Self', 'self'],
  ['Spouse', 'spouse'],
  ['Other', 'other'],
  ['Parent', 'parent'],
  ['Child', 'child'],
]);

/** FHIR code of the policyholder's relationship to the patient, for the contained RelatedPerson. */
const SUBSCRIBER_RELATIONSHIPS: ReadonlyMap<string, string> = new Map([
  ['Spouse', 'Spouse'],
  ['Parent', 'Child'],
  ['Child', 'Parent'],
]);

const SUBSCRIBER = 'subscriber';

/** @param changedUs microseconds since 1970 */
export function buildCoverage(
  record: { readonly userId: string; readonly isPrimary: boolean; readonly insurance: Insurance },
  changedUs: number,
): Coverage {
  const { userId, isPrimary, insurance } = record;
  const { payor_code, member_id, group_id, relationship } = insurance;
  const patient = buildPatientReference(userId);
  const isSelf = relationship === 'Self';
  const code = PATIENT_RELATIONSHIPS.get(relationship);
  const group = cleanText(group_id);
  return {
    resourceType: 'Coverage',
    id: buildCoverageId(userId, isPrimary),
    meta: buildMeta('us-core-coverage', changedUs),
    contained: isSelf ? undefined : [buildSubscriber(userId, relationship, insurance.insured)],
    identifier: [{ type: buildCodedConcept(`${HL7}/v2-0203`, 'MB'), value: cleanText(member_id) }],
    // In R4 this is the status of the record, not of the insurance policy.
    status: 'active',
    subscriber: isSelf ? patient : { reference: `#${SUBSCRIBER}` },
    beneficiary: patient,
    relationship: buildRequiredConcept(
      code === undefined ? undefined : buildCodedConcept(`${HL7}/subscriber-relationship`, code),
      relationship,
    ),
    payor: [
      buildLogicalReference('Organization', payor_code, payor_code) ?? {
        extension: buildAbsentReason('unknown'),
      },
    ],
    class: list(
      group === undefined
        ? undefined
        : { type: buildCodedConcept(`${HL7}/coverage-class`, 'group'), value: group },
    ),
    order: isPrimary ? 1 : 2,
  };
}

function buildSubscriber(
  userId: string,
  relationship: string,
  insured: InsuredPerson,
): RelatedPerson {
  const name = buildHumanName(insured.first_name, insured.last_name);
  return {
    resourceType: 'RelatedPerson',
    id: SUBSCRIBER,
    patient: buildPatientReference(userId),
    relationship: list(buildConcept(undefined, SUBSCRIBER_RELATIONSHIPS.get(relationship))),
    name: list(name),
    telecom: buildTelecom(insured.phone_number, insured.email),
    gender: toFhirGender(insured.gender),
    birthDate: toFhirDate(insured.dob),
    address: buildAddress(insured.address, insured.address?.zip_code),
  };
}
