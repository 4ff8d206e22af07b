/** What the log records of itself and of the service, beside the answers: operations that nobody asks for over HTTP. */

export const HOLD_OPERATIONS = { add: 'addLegalHold', release: 'releaseLegalHold' } as const;
export const PROPOSE_CUT = 'proposeCut';
export const APPROVE_CUT = 'approveCut';
/** A cut of retention, with the first record that it kept as the detail `before_seq`. */
export const CUT = 'retentionCut';

/** What an auditor is alerted to, as the log names it. `clockStep` is written by the log itself. */
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

/** What was done to the log itself: no alarm, and nothing an auditor should have to look for. */
export const CARE_OF_THE_LOG: readonly string[] = [
  PROPOSE_CUT,
  APPROVE_CUT,
  CUT,
  HOLD_OPERATIONS.add,
  HOLD_OPERATIONS.release,
];
