import type { UserInfoEnvelope } from '@caregate/domain';
import type { Person } from './person.ts';
import { dateTimeOf } from './time.ts';

/** Who a user is, as it was recorded when the user was created. */
export function userInfoEnvelope(
  person: Person,
  owner: { readonly teamId: string; readonly userId: string },
  recordedAt: number,
): UserInfoEnvelope {
  const { home } = person;
  return {
    kind: 'user_info',
    team_id: owner.teamId,
    user_id: owner.userId,
    recorded_at: dateTimeOf(recordedAt),
    info: {
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      phone_number: person.phone,
      gender: person.gender,
      dob: person.birthDate,
      address: {
        first_line: home.first_line,
        second_line: home.second_line ?? null,
        zip: home.zip_code,
        city: home.city,
        state: home.state,
        country: home.country,
      },
    },
  };
}
