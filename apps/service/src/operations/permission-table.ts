import { OperatorError } from '@caregate/data-store/errors';
import {
  type Cell,
  getFhirRow,
  isFhirOperation,
  isRole,
  type OperationName,
  type PermissionRow,
  PERMITTED,
  PERMITTED_NAMES,
  type PermittedName,
  type Role,
  ROLES,
  type Scope,
} from './operations.ts';

/** The default permissions. A deployment may restrict a cell, but never extend it. */
export const PERMISSIONS: PermissionTable = Object.fromEntries(
  PERMITTED_NAMES.map((name) => [name, PERMITTED[name].permission]),
) as Record<PermittedName, PermissionRow>;

export type PermissionTable = Readonly<Record<PermittedName, PermissionRow>>;

export type Decision = 'yes' | 'mask' | 'no';

/** Returns the permission of a principal; `no` if the role or operation is unknown. */
export function decide(
  table: PermissionTable,
  principal: { readonly role: Role; readonly scopes: readonly Scope[] },
  operation: OperationName,
): Decision {
  if (isFhirOperation(operation)) {
    const { under, scope } = getFhirRow(operation);
    const decisions = under.map((read) => decide(table, principal, read));
    const isInScope =
      principal.role === 'integration' && scope !== undefined && principal.scopes.includes(scope);
    return isInScope || decisions.includes('yes')
      ? 'yes'
      : decisions.includes('mask')
        ? 'mask'
        : 'no';
  }
  const cell = table[operation][principal.role];
  if (cell === 'yes' || cell === 'mask' || cell === 'no') {
    return cell;
  }
  return principal.scopes.includes(cell) ? 'yes' : 'no';
}

export class NarrowingError extends OperatorError {
  override readonly name = 'NarrowingError';

  constructor(message: string) {
    super(`CAREGATE_NARROW: ${message}`, 2);
  }
}

/**
 * Reads restrictions such as `front_desk.labOrderResult=no, clinician.listUsers=mask`. @throws NarrowingError that
 * names the first invalid cell
 */
export function parseNarrowing(text: string): PermissionTable {
  const table = structuredClone(PERMISSIONS) as Record<PermittedName, Record<Role, Cell>>;
  const seen = new Set<string>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') {
      continue;
    }
    const { role, operation, value } = parseEntry(entry);
    const cell = `${role}.${operation}`;
    if (seen.has(cell)) {
      throw new NarrowingError(`"${cell}" is given more than once.`);
    }
    seen.add(cell);
    const ceiling = PERMISSIONS[operation][role];
    const allowed = listAllowedValues(ceiling, operation);
    if (!(allowed as readonly string[]).includes(value)) {
      throw new NarrowingError(
        `"${cell}=${value}": this permission is "${ceiling}" and can only be reduced to ${allowed.join(' or ')}.`,
      );
    }
    table[operation][role] = value as Cell;
  }
  for (const role of ROLES.filter((each) => table.labOrderResult[each] === 'no')) {
    // The history contains results.
    table.orderHistory[role] = 'no';
  }
  return table;
}

function parseEntry(entry: string): { role: Role; operation: PermittedName; value: string } {
  const match = /^([a-z_]+)\.([A-Za-z]+)\s*=\s*([a-z:-]+)$/u.exec(entry);
  if (match === null) {
    throw new NarrowingError(`"${entry}" must have the form role.operation=no.`);
  }
  const [role, operation, value] = match.slice(1) as [string, string, string];
  if (!isRole(role)) {
    throw new NarrowingError(`"${entry}": unknown role "${role}". Roles: ${ROLES.join(', ')}.`);
  }
  if (!Object.hasOwn(PERMISSIONS, operation)) {
    throw new NarrowingError(
      `"${entry}": unknown operation "${operation}". Operations: ${PERMITTED_NAMES.join(', ')}.`,
    );
  }
  return { role, operation: operation as PermittedName, value };
}

/** Returns the allowed values of a cell, its default last. Only some operations have a masked form. */
function listAllowedValues(ceiling: Cell, operation: PermittedName): readonly Cell[] {
  if (ceiling === 'no') {
    return ['no'];
  }
  const canBeMasked = Object.values(PERMISSIONS[operation]).includes('mask');
  return ceiling === 'yes' && canBeMasked ? ['no', 'mask', 'yes'] : ['no', ceiling];
}
