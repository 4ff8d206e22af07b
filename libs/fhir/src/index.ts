export {
  buildCapabilityStatement,
  SEARCH_PARAMETERS,
  listSortParameters,
  TYPES,
} from './capability-statement.ts';
export type { SearchedType, SearchParameter } from './capability-statement.ts';
export { buildCoverage } from './coverage.ts';
export { buildDiagnosticReport, type Report } from './diagnostic-report.ts';
export { formatInstant } from './elements.ts';
export { parseCoverageId, parseObservationId } from './ids.ts';
export { buildLabObservations } from './lab-observations.ts';
export { buildMindfulnessObservation } from './mindfulness-observation.ts';
export { buildOperationOutcome } from './operation-outcome.ts';
export { buildMaskedPatient, buildPatient, type Person } from './patient.ts';
export { buildSearchEntry, buildSearchset, type SearchPage } from './searchset.ts';
export { buildServiceRequest } from './service-request.ts';
