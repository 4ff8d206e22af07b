import type { ListedUser, User, UserInfo } from '@caregate/domain';
import type { Patient } from 'fhir/r4.js';
import {
  buildAbsentReason,
  buildAddress,
  toFhirDate,
  toFhirGender,
  HL7,
  buildHumanName,
  list,
  buildMeta,
  buildTelecom,
  cleanText,
  buildUuidIdentifier,
} from './elements.ts';

export interface Person {
  readonly user: User | ListedUser;
  readonly info?: UserInfo | undefined;
}

/** @param changedUs when the user or its info last changed, in microseconds since 1970 */
export function buildPatient({ user, info }: Person, changedUs: number): Patient {
  return {
    ...buildIdentity(user, changedUs),
    name: [
      buildHumanName(info?.first_name, info?.last_name) ?? {
        extension: buildAbsentReason('unknown'),
      },
    ],
    telecom: buildTelecom(info?.phone_number, info?.email),
    gender: toFhirGender(info?.gender) ?? 'unknown',
    birthDate: toFhirDate(info?.dob) ?? toFhirDate(user.fallback_birth_date?.value),
    address: buildAddress(info?.address, info?.address?.zip),
  };
}

/** A Patient with masked fields, for roles that see the list of users masked. */
export function buildMaskedPatient(user: User | ListedUser, changedUs: number): Patient {
  const { meta: full, ...otherElements } = buildIdentity(user, changedUs);
  const subsetted = { system: `${HL7}/v3-ObservationValue`, code: 'SUBSETTED' };
  return {
    ...otherElements,
    meta: { ...full, tag: [subsetted] },
    name: [{ extension: buildAbsentReason('masked') }],
    gender: 'unknown',
  };
}

function buildIdentity(
  user: User | ListedUser,
  changedUs: number,
): Pick<Patient, 'resourceType' | 'id' | 'meta' | 'identifier'> {
  const { client_user_id } = user;
  return {
    resourceType: 'Patient',
    id: user.user_id.toLowerCase(),
    meta: buildMeta('us-core-patient', changedUs),
    identifier: list(
      // A search compares this value exactly, so it is shown unchanged or not at all.
      cleanText(client_user_id) === client_user_id
        ? { system: `urn:uuid:${user.team_id.toLowerCase()}`, value: client_user_id }
        : undefined,
      buildUuidIdentifier(user.user_id),
    ),
  };
}
