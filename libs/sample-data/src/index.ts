export { personasOf, personas } from './personas.ts';
export type { Persona } from './personas.ts';
export type { PersonaName } from './persona-plans.ts';
export {
  otherTeamId,
  sampleEnvelopes,
  sampleKinds,
  sampleTeamId,
  sampleUntil,
  sampleUserEnvelopes,
} from './sample-envelopes.ts';
export type { SampleKind, SampleOptions } from './sample-envelopes.ts';
export { edgeCases, longClientUserId } from './edge-cases/cases.ts';
export type { EdgeCase, EdgeCaseName } from './edge-cases/cases.ts';
export { edgeCaseEnvelopes } from './edge-cases/envelopes.ts';
export { namedPeople, namedPersonEnvelopes } from './named-people.ts';
export type { NamedPerson } from './named-people.ts';
