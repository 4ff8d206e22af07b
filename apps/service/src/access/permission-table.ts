import { ROLES, isRole, type Role, type Scope } from './roles.ts';

/** `yes`, `no`, `mask` (see mask.ts), or the scope that the key must carry. */
export type Cell = 'yes' | 'mask' | 'no' | Scope;
type Row = Readonly<Record<Role, Cell>>;

/**
 * Who may do what. This is also the ceiling: a deployment may narrow a cell, nothing can widen one. An operation that
 * is not here cannot be reached.
 */
// prettier-ignore
export const PERMISSIONS = {
  listUsers:          { front_desk: 'mask', clinician: 'yes', billing: 'mask', auditor: 'no',  admin: 'no', integration: 'users:list' },
  resolveUser:        { front_desk: 'yes',  clinician: 'yes', billing: 'yes',  auditor: 'no',  admin: 'no', integration: 'users:read' },
  latestInsurance:    { front_desk: 'yes',  clinician: 'yes', billing: 'yes',  auditor: 'no',  admin: 'no', integration: 'insurance:read' },
  labOrderResult:     { front_desk: 'yes',  clinician: 'yes', billing: 'no',   auditor: 'no',  admin: 'no', integration: 'lab-results:read' },
  mindfulnessMinutes: { front_desk: 'no',   clinician: 'yes', billing: 'no',   auditor: 'no',  admin: 'no', integration: 'timeseries:read' },
  askBreakGlass:      { front_desk: 'yes',  clinician: 'yes', billing: 'yes',  auditor: 'no',  admin: 'no', integration: 'no' },
  listBreakGlass:     { front_desk: 'no',   clinician: 'no',  billing: 'no',   auditor: 'yes', admin: 'no', integration: 'no' },
  reviewBreakGlass:   { front_desk: 'no',   clinician: 'no',  billing: 'no',   auditor: 'yes', admin: 'no', integration: 'no' },
  listAuditEvents:    { front_desk: 'no',   clinician: 'no',  billing: 'no',   auditor: 'yes', admin: 'no', integration: 'no' },
  listAuditAlarms:    { front_desk: 'no',   clinician: 'no',  billing: 'no',   auditor: 'yes', admin: 'no', integration: 'no' },
  auditCheckpoint:    { front_desk: 'yes',  clinician: 'yes', billing: 'yes',  auditor: 'yes', admin: 'no', integration: 'no' },
  auditProof:         { front_desk: 'yes',  clinician: 'yes', billing: 'yes',  auditor: 'yes', admin: 'no', integration: 'no' },
  auditKey:           { front_desk: 'yes',  clinician: 'yes', billing: 'yes',  auditor: 'yes', admin: 'no', integration: 'no' },
} as const satisfies Record<string, Row>;

export type OperationName = keyof typeof PERMISSIONS;
export const OPERATIONS = Object.keys(PERMISSIONS) as readonly OperationName[];

/** The table of this deployment: `PERMISSIONS`, or a narrower one. */
export type PermissionTable = Readonly<Record<OperationName, Row>>;

/** For Nest: the table in force. */
export const PERMISSION_TABLE = Symbol('PermissionTable');

export type Decision = 'yes' | 'mask' | 'no';

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(PERMISSIONS, name);
}

/** What the table says to a principal; `no` where anything is unknown. */
export function decide(
  table: PermissionTable,
  principal: { readonly role: Role; readonly scopes: readonly Scope[] },
  operation: OperationName,
): Decision {
  const cell = table[operation][principal.role];
  if (cell === 'yes' || cell === 'mask' || cell === 'no') {
    return cell;
  }
  return principal.scopes.includes(cell) ? 'yes' : 'no';
}

/** A narrowing that cannot be; the message names the cell and says what may stand there. */
export class NarrowingError extends Error {
  override readonly name = 'NarrowingError';
}

/**
 * The table in force from a deployment's text, such as `front_desk.labOrderResult=no, clinician.listUsers=mask`.
 *
 * @throws NarrowingError naming the first cell that is unknown, named twice, or would be widened
 */
export function parseNarrowing(text: string): PermissionTable {
  const table = copyOf(PERMISSIONS);
  const seen = new Set<string>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') {
      continue;
    }
    const { role, operation, value } = parseEntry(entry);
    const cell = `${role}.${operation}`;
    if (seen.has(cell)) {
      throw new NarrowingError(`"${cell}" is narrowed twice.`);
    }
    seen.add(cell);
    const ceiling = PERMISSIONS[operation][role];
    const allowed = narrower(ceiling, operation);
    if (!(allowed as readonly string[]).includes(value)) {
      throw new NarrowingError(
        `"${cell}=${value}": this cell is "${ceiling}" and can only be narrowed to ${allowed.join(' or ')}.`,
      );
    }
    table[operation][role] = value as Cell;
  }
  return table;
}

function parseEntry(entry: string): { role: Role; operation: OperationName; value: string } {
  const match = /^([a-z_]+)\.([A-Za-z]+)\s*=\s*([a-z:-]+)$/u.exec(entry);
  if (match === null) {
    throw new NarrowingError(`"${entry}" is not of the form role.operation=no.`);
  }
  const [role, operation, value] = match.slice(1) as [string, string, string];
  if (!isRole(role)) {
    throw new NarrowingError(`"${entry}": no role "${role}". Roles: ${ROLES.join(', ')}.`);
  }
  if (!isOperation(operation)) {
    throw new NarrowingError(
      `"${entry}": no operation "${operation}". Operations: ${OPERATIONS.join(', ')}.`,
    );
  }
  return { role, operation, value };
}

/** What may stand in a cell under its ceiling, the ceiling itself last. Only the list of users knows a masked form. */
function narrower(ceiling: Cell, operation: OperationName): readonly Cell[] {
  if (ceiling === 'no') {
    return ['no'];
  }
  return ceiling === 'yes' && operation === 'listUsers' ? ['no', 'mask', 'yes'] : ['no', ceiling];
}

function copyOf(table: PermissionTable): Record<OperationName, Record<Role, Cell>> {
  return structuredClone(table);
}
