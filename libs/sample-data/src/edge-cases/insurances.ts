import type { Insurance, InsuranceEnvelope } from '@caregate/domain';
import { companyOf } from '../insurance.ts';
import { edgeCases } from './cases.ts';
import type { EdgeCase } from './cases.ts';
import { withExtra } from './users.ts';

const country = { country: 'US' };
const plain: Insurance = withExtra<Insurance>(
  {
    payor_code: 'NWMUT',
    member_id: 'NWM000000042',
    group_id: 'GRP-00042',
    relationship: 'Self',
    insured: {
      first_name: 'Tilda',
      last_name: 'Marrowby',
      email: 'tilda.marrowby@example.org',
      phone_number: '+12025550142',
      gender: 'female',
      dob: '1985-03-07',
      address: withExtra(
        {
          first_line: '8 Tumbledown Square',
          second_line: null,
          zip_code: '20001',
          state: 'DC',
          city: 'Washington',
        },
        country,
      ),
    },
  },
  { company: companyOf('NWMUT') },
);

const insured = (changes: Partial<Insurance['insured']>): Insurance['insured'] => ({
  ...plain.insured,
  ...changes,
});

export function edgeCaseInsurances(teamId: string): InsuranceEnvelope[] {
  const record = (
    one: EdgeCase,
    insurance: Insurance,
    rest: { readonly recorded_at?: string; readonly is_primary?: boolean } = {},
  ): InsuranceEnvelope => ({
    kind: 'insurance',
    team_id: teamId,
    user_id: one.userId,
    recorded_at: '2025-05-05T05:05:05+00:00',
    ...rest,
    insurance,
  });
  const late = { ...plain, payor_code: 'LATEST', member_id: 'LAT000000003' };
  return [
    record(edgeCases.nullsEverywhere, {
      ...plain,
      group_id: null,
      insured: {
        first_name: 'Null',
        last_name: 'Nullable',
        email: null,
        phone_number: null,
        gender: null,
        dob: null,
        address: null,
      },
    }),
    record(
      edgeCases.extraFields,
      withExtra(
        {
          ...plain,
          insured: withExtra(
            insured({
              address: withExtra(
                { first_line: '1 Extra Row', zip_code: '00001', state: 'XX', city: 'Farther' },
                { country: 'US', zip: '00001', floor: { lift: true } },
              ),
            }),
            { middle_name: 'Q.', ids: [1, 2, 3] },
          ),
        },
        { company: companyOf('NWMUT'), copay: 12.5 },
      ),
    ),
    record(edgeCases.unknownValues, {
      ...plain,
      relationship: 'Domestic Partner',
      insured: insured({ gender: 'nonbinary' }),
    }),
    record(edgeCases.birthDateMismatch, { ...plain, insured: insured({ dob: '1985-07-30' }) }),
    record(edgeCases.nonLatinNames, {
      ...plain,
      insured: insured({
        first_name: '\u200fعبد الرّحمٰن\u200e',
        last_name: '欧阳・𠮷田 Nguyê\u0303n',
        address: withExtra(
          {
            first_line: 'улица Выдуманная, 7',
            second_line: 'ชั้น ๓',
            zip_code: '〒100-0001',
            state: 'القاهرة',
            city: 'Sa\u0303o Paulo',
          },
          { country: 'EG' },
        ),
      }),
    }),
    record(edgeCases.veryLongNames, {
      ...plain,
      member_id: '0'.repeat(60),
      group_id: 'GROUP-'.repeat(20),
      insured: insured({
        first_name: 'Wolfeschlegelsteinhausen'.repeat(9).slice(0, 200),
        last_name: 'Anna Maria Luisa Ottavia '.repeat(9).slice(0, 200).trim(),
      }),
    }),
    record(edgeCases.insuredByOther, {
      ...plain,
      relationship: 'Other',
      insured: insured({ first_name: 'Gustava', dob: '1950-01-01', gender: 'unknown' }),
    }),
    record(
      edgeCases.secondaryOnly,
      { ...plain, payor_code: 'SECOND', relationship: 'Spouse' },
      { is_primary: false },
    ),
    // 23:30 in Honolulu is later than 09:00 of the next day in Kathmandu, though the text sorts before it.
    record(edgeCases.insuranceOutOfOrder, late, { recorded_at: '2025-06-30T23:30:00-10:00' }),
    record(edgeCases.insuranceOutOfOrder, plain, { recorded_at: '2025-07-01T09:00:00+05:45' }),
    record(
      edgeCases.insuranceOutOfOrder,
      { ...plain, payor_code: 'OLDEST' },
      { recorded_at: '2020-02-29T12:00:00Z', is_primary: true },
    ),
  ];
}
