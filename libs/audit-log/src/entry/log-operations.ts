/** Operations of the log and the service themselves, not of requests. */

export const HOLD_OPERATIONS = { add: 'addLegalHold', release: 'releaseLegalHold' } as const;
export const TORN_GROUP = 'tornGroup';
/** The first record of a log that replaces a broken one. */
export const ACCEPT_BREAK = 'acceptBreak';

/** The first record of a log on PostgreSQL; detail `logs` names the other logs of the database. */
export const OPEN_LOG = 'openAuditLog';
/** The other logs of the database when a log was reopened. */
export const SEE_LOGS = 'seeAuditLogs';

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
