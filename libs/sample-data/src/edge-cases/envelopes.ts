import type { ImportEnvelope } from '@caregate/domain';
import { sampleTeamId } from '../sample-envelopes.ts';
import { edgeCaseInsurances } from './insurances.ts';
import { edgeCaseLabs } from './labs.ts';
import { edgeCaseMindfulness } from './mindfulness.ts';
import { edgeCaseUsers } from './users.ts';

/**
 * The hand-written edge cases, all of them valid; `edgeCases` describes each. Users come first. The ids are fixed, so a
 * store can import them for one team only.
 */
export function edgeCaseEnvelopes(teamId: string = sampleTeamId): ImportEnvelope[] {
  return [
    ...edgeCaseUsers(teamId),
    ...edgeCaseLabs(teamId),
    ...edgeCaseInsurances(teamId),
    ...edgeCaseMindfulness(teamId),
  ];
}
