import type { DataCategory } from '../../operations/operation-row.ts';
import { isOperation, OPERATIONS } from '../../operations/operations.ts';
import { PERMISSIONS, decide, type PermissionTable } from '../../operations/permission-table.ts';
import type { Principal } from '../../access/principal.ts';
import { problemTypeOfStatus } from '../../problem/problems.ts';
import type { AuditDecision } from '@caregate/domain';

export function dataCategoryOf(operation: string): DataCategory | null {
  return isOperation(operation) ? OPERATIONS[operation].category : null;
}

export function decisionOf(status: number): AuditDecision {
  if (status < 400) {
    return 'allowed';
  }
  if (status >= 500) {
    return 'failed';
  }
  switch (status) {
    case 401:
    case 403:
    case 429:
      return 'denied';
    case 404:
      return 'not_found';
    default:
      return 'invalid';
  }
}

export function reasonOf(status: number): string | null {
  if (status < 400) {
    return null;
  }
  switch (status) {
    case 404:
      return 'absent';
    case 429:
      return 'rate_limited';
    case 500:
      return 'failed';
    default:
      return problemTypeOfStatus(status).replaceAll('-', '_');
  }
}

/** `scope`: missing, `role`: not permitted, `narrowed`: by this deployment. */
export function denialOf(
  table: PermissionTable,
  caller: Pick<Principal, 'role' | 'scopes'>,
  operation: string,
): 'role' | 'scope' | 'narrowed' | undefined {
  if (!isOperation(operation) || decide(table, caller, operation) !== 'no') {
    return undefined;
  }
  const ceiling = PERMISSIONS[operation][caller.role];
  if (ceiling === 'no') {
    return 'role';
  }
  return decide(PERMISSIONS, caller, operation) === 'no' ? 'scope' : 'narrowed';
}
