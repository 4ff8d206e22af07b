import { roles } from './cast.ts';
import type { CastName } from './cast.ts';
import { sampleUserEnvelopes } from './sample-envelopes.ts';
import type { SampleOptions } from './sample-envelopes.ts';

/** One of the cast as a sample holds them. */
export interface CastMember {
  readonly name: CastName;
  /** Their place in the sample. */
  readonly index: number;
  readonly userId: string;
  readonly clientUserId: string;
  /** Name as the laboratory prints it. */
  readonly fullName: string;
  /** YYYY-MM-DD, as the clinic has it. */
  readonly birthDate: string;
  /** Orders with a result, oldest first. */
  readonly orderIds: readonly string[];
  readonly story: string;
}

/** The cast in the sample with this seed and team; without arguments, that of the demo. */
export function castOf(
  options: Pick<SampleOptions, 'seed' | 'teamId'> = {},
): Readonly<Record<CastName, CastMember>> {
  const members = roles.map(({ name, story, plan }, index): [CastName, CastMember] => {
    let userId = '';
    const orderIds: string[] = [];
    for (const envelope of sampleUserEnvelopes(index, {
      ...options,
      kinds: ['user', 'lab_result'],
    })) {
      if (envelope.kind === 'user') userId = envelope.user.user_id;
      if (envelope.kind === 'lab_result') orderIds.push(envelope.order_id);
    }
    const { clientUserId, person } = plan;
    const { fullName, birthDate } = person;
    return [name, { name, index, userId, clientUserId, fullName, birthDate, orderIds, story }];
  });
  return Object.fromEntries(members) as Record<CastName, CastMember>;
}

/** The cast of the demo: seed 1, `sampleTeamId`. */
export const cast = castOf();
