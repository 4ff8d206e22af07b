import type { ImportEnvelope } from '@caregate/domain';
import { sampleTeamId } from '../sample-envelopes.ts';
import { awkwardInsurances } from './insurances.ts';
import { awkwardLabs } from './labs.ts';
import { awkwardMindfulness } from './mindfulness.ts';
import { awkwardUsers } from './users.ts';

/**
 * The hand-written set: valid throughout, and awkward in every way `awkwardCases` names. Users come
 * first. Its ids are fixed, so one store takes it for one team.
 */
export function awkwardEnvelopes(teamId: string = sampleTeamId): ImportEnvelope[] {
  return [
    ...awkwardUsers(teamId),
    ...awkwardLabs(teamId),
    ...awkwardInsurances(teamId),
    ...awkwardMindfulness(teamId),
  ];
}
