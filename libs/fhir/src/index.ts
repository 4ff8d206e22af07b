export {
  capabilityStatement,
  SEARCH_PARAMETERS,
  sortParameters,
  TYPES,
} from './capability-statement.ts';
export type { SearchedType, SearchParameter } from './capability-statement.ts';
export { coverage } from './coverage.ts';
export { diagnosticReport, type Report } from './diagnostic-report.ts';
export { instantText } from './elements.ts';
export { parseCoverageId, parseObservationId } from './ids.ts';
export { labObservations } from './lab-observations.ts';
export { mindfulnessObservation } from './mindfulness-observation.ts';
export { operationOutcome } from './operation-outcome.ts';
export { maskedPatient, patient, type Person } from './patient.ts';
export { searchEntry, searchset, type SearchPage } from './searchset.ts';
export { serviceRequest } from './service-request.ts';
