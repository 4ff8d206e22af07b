import { ProblemError } from '../../problem/problem-error.ts';
import { oneRecord, type Read } from '../read.ts';

export const latestInsurance: Read<'latestInsurance'> = {
  scope: 'insurance:read',
  category: 'insurance',
  fhir: { form: 'read', resource: 'Coverage' },
  about: {
    tag: 'Insurance',
    summary: 'Get the latest insurance of a user',
    description:
      'The most recent primary insurance, or the most recent secondary one with `is_primary=false`. If the user exists but has none, the 404 is of the type `/problems/no-insurance`.',
    problems: [404, 422],
    example: {
      payor_code: 'NWMUT',
      member_id: 'NWM204518877',
      group_id: 'G-7741',
      relationship: 'Self',
      insured: {
        first_name: 'Amara',
        last_name: 'Example',
        email: 'amara@example.com',
        phone_number: '+12125550101',
        gender: 'female',
        dob: '1986-04-12',
        address: {
          first_line: '12 Larkspur Row',
          second_line: null,
          zip_code: '10001',
          state: 'NY',
          city: 'New York',
        },
      },
    },
  },
  async answer(call) {
    const isPrimary = call.query.is_primary ?? true;
    const insurance = await call.find({ userId: call.params.user_id, isPrimary });
    if (insurance === 'no-insurance') {
      const kind = isPrimary ? 'primary' : 'secondary';
      const detail = `This user has no ${kind} insurance on record.`;
      throw new ProblemError({ type: 'no-insurance', detail });
    }
    return oneRecord(call, insurance === 'no-user' ? undefined : insurance);
  },
};
