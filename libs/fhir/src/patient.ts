import type { ListedUser, User, UserInfo } from '@caregate/domain';
import type { Patient } from 'fhir/r4.js';
import {
  absent,
  address,
  day,
  gender,
  HL7,
  humanName,
  list,
  meta,
  telecom,
  text,
  uuidIdentifier,
} from './elements.ts';

export interface Person {
  readonly user: User | ListedUser;
  readonly info?: UserInfo | undefined;
}

/** @param changedUs when the user or its info last changed, in microseconds since 1970 */
export function patient({ user, info }: Person, changedUs: number): Patient {
  return {
    ...identity(user, changedUs),
    name: [humanName(info?.first_name, info?.last_name) ?? { extension: absent('unknown') }],
    telecom: telecom(info?.phone_number, info?.email),
    gender: gender(info?.gender) ?? 'unknown',
    birthDate: day(info?.dob) ?? day(user.fallback_birth_date?.value),
    address: address(info?.address, info?.address?.zip),
  };
}

/** A Patient with masked fields, for roles that see the list of users masked. */
export function maskedPatient(user: User | ListedUser, changedUs: number): Patient {
  const { meta: full, ...rest } = identity(user, changedUs);
  const subsetted = { system: `${HL7}/v3-ObservationValue`, code: 'SUBSETTED' };
  return {
    ...rest,
    meta: { ...full, tag: [subsetted] },
    name: [{ extension: absent('masked') }],
    gender: 'unknown',
  };
}

function identity(
  user: User | ListedUser,
  changedUs: number,
): Pick<Patient, 'resourceType' | 'id' | 'meta' | 'identifier'> {
  const { client_user_id } = user;
  return {
    resourceType: 'Patient',
    id: user.user_id.toLowerCase(),
    meta: meta('us-core-patient', changedUs),
    identifier: list(
      // A search compares this value exactly, so it is shown unchanged or not at all.
      text(client_user_id) === client_user_id
        ? { system: `urn:uuid:${user.team_id.toLowerCase()}`, value: client_user_id }
        : undefined,
      uuidIdentifier(user.user_id),
    ),
  };
}
