/** Operations recorded for events of the log and the service, not for requests. */

export const HOLD_OPERATIONS = { add: 'addLegalHold', release: 'releaseLegalHold' } as const;
/** What a start found at the end, torn, and set aside. */
export const TORN_GROUP = 'tornGroup';
/** A person went on with a log that was not as it was left. */
export const ACCEPT_BREAK = 'acceptBreak';

/** The first record of a log on PostgreSQL; the detail `logs` names the other logs of the database. */
export const OPEN_LOG = 'openAuditLog';
/** Other logs of the database, as they were when a log was opened again. */
export const SEE_LOGS = 'seeAuditLogs';

/** Alarms by their operation in the log. `clockStep` is written by the log itself, `breakGlass` with the grant. */
export const ALARMS = {
  'bulk-read': 'bulkRead',
  'many-people': 'manyPeople',
  'resolve-enumeration': 'resolveEnumeration',
  'break-glass': 'breakGlass',
  'break-glass-many': 'breakGlassMany',
  'break-glass-unreviewed': 'breakGlassUnreviewed',
  'team-records': 'teamRecords',
  'disk-space': 'diskSpace',
  'log-interrupted': 'logInterrupted',
  'proof-failed': 'proofFailed',
  'clock-step': 'clockStep',
  'witness-quorum': 'witnessQuorum',
  'witness-conflict': 'witnessConflict',
} as const;
export const ALARM_OPERATIONS: readonly string[] = Object.values(ALARMS);
