/** Operations recorded for events of the log and the service, not for requests. */

export const HOLD_OPERATIONS = { add: 'addLegalHold', release: 'releaseLegalHold' } as const;
export const PROPOSE_CUT = 'proposeCut';
export const APPROVE_CUT = 'approveCut';
/** The operation recorded by a retention cut; the detail `before_seq` is the first record that is kept. */
export const CUT = 'retentionCut';
/** Who may propose and approve cuts. */
export const APPROVER_OPERATIONS = {
  enrol: 'enrolApprover',
  endorse: 'endorseApprover',
  revoke: 'revokeApprover',
} as const;
/**
 * An old log was taken over: of its `records`, a checkpoint proves those before `proved`; the first `erased` were erased
 * before.
 */
export const UPGRADE_LOG = 'upgradeLog';
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

/** Operations on the log itself: not alarms, but shown together with them on the command line. */
export const LOG_MAINTENANCE_OPERATIONS: readonly string[] = [
  PROPOSE_CUT,
  APPROVE_CUT,
  CUT,
  HOLD_OPERATIONS.add,
  HOLD_OPERATIONS.release,
  ...Object.values(APPROVER_OPERATIONS),
];
