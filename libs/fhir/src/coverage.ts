import type { Insurance, InsuredPerson } from '@caregate/domain';
import type { Coverage, RelatedPerson } from 'fhir/r4.js';
import {
  absent,
  address,
  coded,
  concept,
  conceptOrAbsent,
  day,
  gender,
  HL7,
  humanName,
  list,
  logicalReference,
  meta,
  patientReference,
  telecom,
  text,
} from './elements.ts';
import { coverageId } from './ids.ts';

/** FHIR code of the patient's relationship to the policyholder, by the word that the interface document uses. */
const PATIENT_IS: ReadonlyMap<string, string> = new Map([
  ['Self', 'self'],
  ['Spouse', 'spouse'],
  ['Other', 'other'],
  ['Parent', 'parent'],
  ['Child', 'child'],
]);

/** FHIR code of the policyholder's relationship to the patient, for the contained RelatedPerson. */
const SUBSCRIBER_IS: ReadonlyMap<string, string> = new Map([
  ['Spouse', 'Spouse'],
  ['Parent', 'Child'],
  ['Child', 'Parent'],
]);

const SUBSCRIBER = 'subscriber';

/** @param changedUs microseconds since 1970 */
export function coverage(
  of: { readonly userId: string; readonly isPrimary: boolean; readonly insurance: Insurance },
  changedUs: number,
): Coverage {
  const { userId, isPrimary, insurance } = of;
  const { payor_code, member_id, group_id, relationship } = insurance;
  const patient = patientReference(userId);
  const isSelf = relationship === 'Self';
  const code = PATIENT_IS.get(relationship);
  const group = text(group_id);
  return {
    resourceType: 'Coverage',
    id: coverageId(userId, isPrimary),
    meta: meta('us-core-coverage', changedUs),
    contained: isSelf ? undefined : [subscriber(userId, relationship, insurance.insured)],
    identifier: [{ type: coded(`${HL7}/v2-0203`, 'MB'), value: text(member_id) }],
    // In R4 this is the status of the record, not of the insurance policy.
    status: 'active',
    subscriber: isSelf ? patient : { reference: `#${SUBSCRIBER}` },
    beneficiary: patient,
    relationship: conceptOrAbsent(
      code === undefined ? undefined : coded(`${HL7}/subscriber-relationship`, code),
      relationship,
    ),
    payor: [
      logicalReference('Organization', payor_code, payor_code) ?? { extension: absent('unknown') },
    ],
    class: list(
      group === undefined
        ? undefined
        : { type: coded(`${HL7}/coverage-class`, 'group'), value: group },
    ),
    order: isPrimary ? 1 : 2,
  };
}

function subscriber(userId: string, relationship: string, insured: InsuredPerson): RelatedPerson {
  const name = humanName(insured.first_name, insured.last_name);
  return {
    resourceType: 'RelatedPerson',
    id: SUBSCRIBER,
    patient: patientReference(userId),
    relationship: list(concept(undefined, SUBSCRIBER_IS.get(relationship))),
    name: list(name),
    telecom: telecom(insured.phone_number, insured.email),
    gender: gender(insured.gender),
    birthDate: day(insured.dob),
    address: address(insured.address, insured.address?.zip_code),
  };
}
