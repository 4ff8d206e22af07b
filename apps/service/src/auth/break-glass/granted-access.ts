import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessStore } from '../access-store.ts';
import { findRequestedPatient } from '../../fhir/requested-patient.ts';
import { isFhirOperation, type OperationName, findSubject } from '../../operations/operations.ts';
import { HealthDataSource } from '@caregate/data-store';
import type { Principal } from '../caller.ts';

/** Finds the emergency access that is in force for the patient of a request. */
@Injectable()
export class GrantedAccess {
  constructor(
    private readonly access: AccessStore,
    private readonly data: HealthDataSource,
  ) {}

  /** Returns the ID of the grant. Looks up the patient only for callers with a grant. */
  async findGrantId(
    principal: Principal,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const grants = await this.access.breakGlass.findActiveGrants(principal);
    if (grants.size === 0) {
      return undefined;
    }
    const userId = await this.#findPatient(principal.teamId, operation, request);
    return userId === undefined ? undefined : grants.get(userId.toLowerCase());
  }

  async #findPatient(
    teamId: string,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const params = (request.params ?? {}) as Readonly<Record<string, string | undefined>>;
    const subject = findSubject(operation);
    switch (subject) {
      case 'user_id':
        return params[subject];
      case 'client_user_id':
        return (await this.data.findUserByClientId(teamId, params[subject] ?? ''))?.userId;
      case 'order_id':
        return (await this.data.getLabResult(teamId, params[subject] ?? ''))?.userId;
      case undefined: {
        const requested = isFhirOperation(operation)
          ? findRequestedPatient(operation, request)
          : undefined;
        return requested?.orderId === undefined
          ? requested?.userId
          : (await this.data.getLabResult(teamId, requested.orderId))?.userId;
      }
    }
  }
}
