import { EXAMPLE_TEAM_ID, EXAMPLE_USER_ID, oneRecord, type Read } from '../read.ts';

export const resolveUser: Read<'resolveUser'> = {
  scope: 'users:read',
  category: 'user',
  fhir: { form: 'read', resource: 'Patient' },
  about: {
    tag: 'Users',
    summary: 'Resolve a user by client user id',
    description:
      'The id is compared exactly (case-sensitive). Percent-encode characters that are reserved in paths, including slashes.',
    problems: [404, 414, 422],
    example: {
      user_id: EXAMPLE_USER_ID,
      team_id: EXAMPLE_TEAM_ID,
      client_user_id: 'MRN-000101',
      created_on: '2023-01-16T14:20:00+00:00',
      connected_sources: [
        {
          created_on: '2023-01-20T08:05:00+00:00',
          source: { logo: 'https://logos.example.com/oura.png', name: 'Oura', slug: 'oura' },
        },
      ],
      fallback_time_zone: {
        id: 'America/New_York',
        source_slug: 'oura',
        updated_at: '2023-01-20T08:05:00+00:00',
      },
      fallback_birth_date: null,
      ingestion_start: '2023-01-16',
      ingestion_end: null,
    },
  },
  async answer(call) {
    return oneRecord(call, await call.find(call.params.client_user_id));
  },
};
