/** Operations recorded for events of the log and the service, not for requests. */

export const HOLD_OPERATIONS = { add: 'addLegalHold', release: 'releaseLegalHold' } as const;
export const PROPOSE_CUT = 'proposeCut';
export const APPROVE_CUT = 'approveCut';
/** The operation recorded by a retention cut; the detail `before_seq` is the first record that is kept. */
export const CUT = 'retentionCut';

/** Alarms by their operation in the log. `clockStep` is written by the log itself. */
export const ALARMS = {
  'bulk-read': 'bulkRead',
  'resolve-enumeration': 'resolveEnumeration',
  'break-glass': 'breakGlass',
  'break-glass-unreviewed': 'breakGlassUnreviewed',
  'log-interrupted': 'logInterrupted',
  'proof-failed': 'proofFailed',
  'clock-step': 'clockStep',
} as const;
export const ALARM_OPERATIONS: readonly string[] = Object.values(ALARMS);

/** Operations on the log itself: not alarms, but shown together with them on the command line. */
export const LOG_MAINTENANCE_OPERATIONS: readonly string[] = [
  PROPOSE_CUT,
  APPROVE_CUT,
  CUT,
  HOLD_OPERATIONS.add,
  HOLD_OPERATIONS.release,
];
