/** Operations of the log itself. */

export const TORN_GROUP = 'tornGroup';
/** The first record of a log that replaces a broken one. */
export const ACCEPT_BREAK = 'acceptBreak';

/** The first record of a log on PostgreSQL; detail `logs` names the other logs of the database. */
export const OPEN_LOG = 'openAuditLog';
/** The other logs of the database when a log was reopened. */
export const SEE_LOGS = 'seeAuditLogs';
