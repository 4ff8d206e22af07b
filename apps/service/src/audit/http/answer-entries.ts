import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import type { PermissionTable } from '../../operations/permission-table.ts';
import { actorFields, type AuditEntry } from '../record/audit-entry.ts';
import {
  type ClientUserIds,
  dataCategoryOf,
  decisionOf,
  denialOf,
  detailsOf,
  orderIdOf,
  reasonOf,
} from './details.ts';

const BREAK_THE_GLASS = 'BTG';

export function policyVersionOf(table: PermissionTable): string {
  return createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16);
}

export class AnswerEntries {
  readonly #table: PermissionTable;
  readonly #policyVersion: string;
  readonly #clientUserIds: ClientUserIds;

  constructor(table: PermissionTable, clientUserIds: ClientUserIds) {
    this.#table = table;
    this.#policyVersion = policyVersionOf(table);
    this.#clientUserIds = clientUserIds;
  }

  entryOf(
    request: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): AuditEntry {
    const { principal, disclosure } = request;
    const decision = decisionOf(status);
    // A missing result is not found, but its order's status is shown.
    const shown = decision === 'allowed' || decision === 'not_found' ? disclosure : undefined;
    const breakGlassId = shown?.breakGlassId ?? principal?.breakGlassId ?? null;
    const { teamId } = caller;
    const details = detailsOf(request, {
      clientUserId: (id) => this.#clientUserIds.hidden(teamId, id),
      search: (text) => this.#clientUserIds.hiddenSearch(teamId, text),
    });
    return {
      teamId: caller.teamId,
      ...actorFields(caller),
      operation,
      dataCategory: shown?.category ?? dataCategoryOf(operation),
      decision,
      reasonCode: this.#reason(request, caller, operation, status),
      httpStatus: status,
      purposeOfUse: principal?.breakGlassId === undefined ? null : BREAK_THE_GLASS,
      breakGlassId,
      orderId: orderIdOf(request),
      recordCount: shown?.recordCount ?? null,
      requestId: request.id,
      clientIp: request.clientAddress,
      policyVersion: this.#policyVersion,
      patients: shown?.patients ?? [],
      details: {
        ...details,
        ...(shown?.aboutUserId === undefined ? {} : { asked_user_id: shown.aboutUserId }),
        ...(shown?.shown === undefined ? {} : { shown: shown.shown }),
        ...shown?.details,
      },
    };
  }

  #reason(
    { principal }: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): string | null {
    if (status === 403) {
      return denialOf(this.#table, caller, operation) ?? 'forbidden';
    }
    if (status < 400 && principal?.breakGlassId !== undefined) {
      return 'break_glass';
    }
    if (status < 400 && principal?.sees === 'masked') {
      return 'masked';
    }
    return reasonOf(status);
  }
}
