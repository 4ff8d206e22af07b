export { castOf, cast } from './cast-members.ts';
export type { CastMember } from './cast-members.ts';
export type { CastName } from './cast.ts';
export {
  otherTeamId,
  sampleEnvelopes,
  sampleKinds,
  sampleTeamId,
  sampleUntil,
  sampleUserEnvelopes,
} from './sample-envelopes.ts';
export type { SampleKind, SampleOptions } from './sample-envelopes.ts';
export { awkwardCases, longClientUserId } from './awkward/cases.ts';
export type { AwkwardCase, AwkwardCaseName } from './awkward/cases.ts';
export { awkwardEnvelopes } from './awkward/envelopes.ts';
