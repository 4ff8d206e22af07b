import type { ImportEnvelope } from '@caregate/domain';
import { orderEnvelopes } from '../labs/order-envelopes.ts';
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
  const labs = edgeCaseLabs(teamId);
  return [
    ...edgeCaseUsers(teamId),
    ...labs.flatMap((each) => orderEnvelopes([each], []).slice(0, 1)),
    ...labs,
    ...edgeCaseInsurances(teamId),
    ...edgeCaseMindfulness(teamId),
  ];
}
