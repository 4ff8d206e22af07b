/** Injection tokens of values that have no class. Inject them with `@Inject(CONFIG)`. */

/** {@link import('../config/service-config.ts').ServiceConfig} */
export const CONFIG = Symbol('CONFIG');
/** {@link import('../config/limits.ts').Limits} */
export const LIMITS_IN_FORCE = Symbol('LIMITS_IN_FORCE');
/** {@link import('pino').Logger} */
export const LOGGER = Symbol('LOGGER');
/** {@link import('../operations/permission-table.ts').PermissionTable}, restricted by the deployment's settings. */
export const PERMISSIONS_IN_FORCE = Symbol('PERMISSIONS_IN_FORCE');
/** {@link import('../audit/audit-record.ts').AuditRecorder} */
export const AUDIT_RECORDER = Symbol('AUDIT_RECORDER');
/** {@link import('../resources.module.ts').Resources} that were opened before the application. */
export const RESOURCES = Symbol('RESOURCES');
/** A `Buffer` with a secret that never changes. All instances on one database share it. */
export const PERMANENT_SECRET = Symbol('PERMANENT_SECRET');
