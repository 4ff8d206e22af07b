export { HealthDataSource, type SourceCall } from './health-data-source.ts';
export type {
  DatedRecords,
  ImportStatus,
  NoResult,
  OrderRecord,
  OrderRecordKey,
  OrdersQuery,
  PointsCursor,
  PersonRecord,
  PointKey,
  PointRecord,
  PointsQuery,
  StoredRecord,
  StoredHistory,
} from './health-data.ts';
export { isRawJSON, parseExactly } from './json/exact-json.ts';
export { foldText, listSpellings, splitWords } from './people/name-text.ts';
export { parseNameQuery, parsePeopleQuery } from './people/people-query.ts';
export type { NameCursor } from './people/search-people.ts';
export type { ImportDatabase } from './store/import-database.ts';
export { type ImportReport, KINDS } from './store/import/import-types.ts';
export { ImportWriter } from './store/import/import-writer.ts';
export { importEnvelopes, importFile } from './store/import/import.ts';
export { createInput, openInput } from './store/import/input.ts';
export { PersonEraser, type StoredPerson } from './store/import/person-eraser.ts';
export { RefusedFile } from './store/import/refused-file.ts';
export { describeReport, formatProblems, formatSummary } from './store/import/report-text.ts';
export { MessageStore, type Outcome, type Received } from './store/messages/message-store.ts';
export type { PatientId } from './store/messages/reported-person.ts';
export { openStore, openStoreForWriting, getStoreFile } from './store/open-store.ts';
export { parseBirthDate } from './store/orders/lab-summary.ts';
export { fillPeople } from './store/people/fill-people.ts';
export {
  createTables,
  toIdBytes,
  type PersonKey,
  storeSchema,
  parseUuid,
  formatUuid,
} from './store/schema.ts';
export { type MessageKey, WAITS_FOR, type WaitsFor } from './store/messages/waiting-messages.ts';
export { UpstreamSource } from './upstream/upstream-source.ts';
export { SourceByTeam } from './source-by-team.ts';
export { SourceError } from './source-error.ts';
export { Secret, type Upstreams, type UpstreamSettings } from './upstream/upstream-settings.ts';
