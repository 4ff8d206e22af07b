export { listPersonas, personas } from './personas.ts';
export type { Persona } from './personas.ts';
export type { PersonaName } from './user-plan.ts';
export {
  otherTeamId,
  sampleEnvelopes,
  sampleKinds,
  sampleTeamId,
  sampleUntil,
  sampleUserEnvelopes,
} from './sample-envelopes.ts';
export type { SampleKind, SampleOptions } from './sample-envelopes.ts';
export { edgeCaseEnvelopes, edgeCases, longClientUserId } from './edge-cases.ts';
export type { EdgeCase, EdgeCaseName } from './edge-cases.ts';
