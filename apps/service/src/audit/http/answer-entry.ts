import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { PermissionTable } from '../../operations/permission-table.ts';
import type { Principal } from '../../access/principal.ts';
import type { AuditEntry } from '../audit-entry.ts';
import type { ClientUserIds } from './client-user-ids.ts';
import { detailsOf, orderIdOf } from './details.ts';
import { dataCategoryOf, decisionOf, denialOf, reasonOf } from './outcome.ts';

/** HL7 v3 PurposeOfUse: break the glass. */
const BREAK_THE_GLASS = 'BTG';

/** Creates audit entries of responses. */
export class AnswerEntries {
  readonly #table: PermissionTable;
  readonly #policyVersion: string;
  readonly #clientUserIds: ClientUserIds;

  constructor(table: PermissionTable, clientUserIds: ClientUserIds) {
    this.#table = table;
    this.#policyVersion = createHash('sha256')
      .update(JSON.stringify(table))
      .digest('hex')
      .slice(0, 16);
    this.#clientUserIds = clientUserIds;
  }

  /** The entry of a response to a caller with a valid key. Patients are included if their data is returned. */
  entryOf(
    request: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): AuditEntry {
    const { principal, disclosure } = request;
    const decision = decisionOf(status);
    const shown = decision === 'allowed' ? disclosure : undefined;
    const breakGlassId = shown?.breakGlassId ?? principal?.breakGlassId ?? null;
    const details = detailsOf(request, (id) => this.#clientUserIds.hidden(caller.teamId, id));
    return {
      teamId: caller.teamId,
      actorType: 'key',
      actorId: caller.keyId,
      role: caller.role,
      keyId: caller.keyId,
      sessionId: null,
      operation,
      dataCategory: dataCategoryOf(operation),
      decision,
      reasonCode: this.#reason(request, caller, operation, status),
      httpStatus: status,
      purposeOfUse: principal?.breakGlassId === undefined ? null : BREAK_THE_GLASS,
      breakGlassId,
      orderId: orderIdOf(request),
      recordCount: shown?.recordCount ?? null,
      requestId: request.id,
      clientIp: request.clientAddress,
      deviceId: null,
      policyVersion: this.#policyVersion,
      patients: shown?.patients ?? [],
      details: {
        ...details,
        ...(shown?.aboutUserId === undefined ? {} : { asked_user_id: shown.aboutUserId }),
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
