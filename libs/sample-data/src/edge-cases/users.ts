import type { User, UserEnvelope } from '@caregate/domain';
import { edgeCases } from './cases.ts';
import type { EdgeCase } from './cases.ts';

const SINCE = '2024-02-29T23:59:59.999999+00:00';

/** `value` with fields its type does not know, which are kept wherever they come. */
export function withExtra<T extends object>(value: T, extra: Readonly<Record<string, unknown>>): T {
  return { ...value, ...extra };
}

function user(one: EdgeCase, teamId: string): User {
  return {
    user_id: one.userId,
    team_id: teamId,
    client_user_id: one.clientUserId,
    created_on: SINCE,
    connected_sources: [],
    fallback_time_zone: {
      id: 'America/New_York',
      source_slug: 'manual',
      updated_at: '2024-03-10T03:00:00-04:00',
    },
  };
}

export function edgeCaseUsers(teamId: string): UserEnvelope[] {
  const special: Partial<Record<string, User>> = {};
  const change = (one: EdgeCase, alter: (plain: User) => User): void => {
    special[one.userId] = alter(user(one, teamId));
  };
  change(edgeCases.nullsEverywhere, (plain) => ({
    ...plain,
    fallback_birth_date: null,
    ingestion_start: null,
    ingestion_end: null,
  }));
  change(edgeCases.extraFields, (plain) =>
    withExtra(
      {
        ...plain,
        connected_sources: [
          withExtra(
            {
              created_on: SINCE,
              source: withExtra(
                {
                  logo: 'https://example.com/logos/none.png',
                  name: 'Stillwater',
                  slug: 'stillwater',
                },
                { tagline: 'kept' },
              ),
            },
            {
              provider: {
                logo: 'https://example.com/logos/none.png',
                name: 'Stillwater',
                slug: 'stillwater',
                region: 'eu',
              },
            },
          ),
        ],
        fallback_time_zone: withExtra(
          { id: 'Asia/Kathmandu', source_slug: 'stillwater', updated_at: SINCE },
          { confidence: 0.5 },
        ),
      },
      { nickname: null, tags: ['a', { b: [] }], 'key with space': true, 鍵: '値' },
    ),
  );
  change(edgeCases.unknownValues, (plain) => ({
    ...plain,
    connected_sources: [
      {
        created_on: SINCE,
        source: {
          logo: 'https://example.com/logos/moonphase.svg',
          name: 'Moonphase',
          slug: 'moonphase_v9',
        },
      },
    ],
    fallback_time_zone: { id: 'UTC', source_slug: 'moonphase_v9', updated_at: SINCE },
  }));
  change(edgeCases.birthDateMismatch, (plain) => ({
    ...plain,
    fallback_birth_date: { value: '1985-03-07', source_slug: 'manual', updated_at: SINCE },
    ingestion_start: '2024-02-29',
    ingestion_end: '2024-02-28',
  }));
  change(edgeCases.nonLatinNames, (plain) => ({
    ...plain,
    connected_sources: [
      { created_on: SINCE, source: { logo: '', name: 'سكون \u200fستيل\u200e', slug: 'sukun' } },
    ],
    fallback_birth_date: { value: '2000-02-29', source_slug: 'sukun', updated_at: SINCE },
  }));
  const ids = new Map<string, EdgeCase>(
    Object.values(edgeCases).map((one): [string, EdgeCase] => [one.userId, one]),
  );
  return [...ids.values()].map((one) => ({
    kind: 'user',
    user: special[one.userId] ?? user(one, teamId),
  }));
}
