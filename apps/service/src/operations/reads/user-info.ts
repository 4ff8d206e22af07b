import { ProblemError } from '../../problem/problem-error.ts';
import { oneRecord, type Read } from '../read.ts';

export const userInfo: Read<'userInfo'> = {
  scope: 'users:read',
  category: 'user',
  fhir: { form: 'read', resource: 'Patient' },
  about: {
    tag: 'Users',
    summary: 'Get the latest info of a user',
    description:
      'Name, birth date, gender, contact and address, as last recorded; what is not known is missing or null. If the user exists but nothing is known, the 404 is of the type `/problems/no-user-info`.',
    problems: [404, 422],
    example: {
      first_name: 'Amara',
      last_name: 'Example',
      email: 'amara@example.com',
      phone_number: '+12125550101',
      gender: 'female',
      dob: '1986-04-12',
      address: {
        first_line: '12 Larkspur Row',
        second_line: null,
        zip: '10001',
        city: 'New York',
        state: 'NY',
        country: 'US',
      },
    },
  },
  async answer(call) {
    const info = await call.find(call.params.user_id);
    if (info === 'no-info') {
      throw new ProblemError({ type: 'no-user-info' });
    }
    return oneRecord(call, info === 'no-user' ? undefined : info);
  },
};
