import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessStore } from '../access-store.ts';
import { findSearchedPatient, readParams, readSubject } from '../../fhir/requested-patient.ts';
import {
  findSubject,
  getFhirRow,
  isFhirOperation,
  type OperationName,
} from '../../operations/operations.ts';
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
    if (isFhirOperation(operation)) {
      if (getFhirRow(operation).fhir.form === 'search') {
        return findSearchedPatient(operation, request);
      }
    } else if (findSubject(operation) === undefined) {
      return undefined;
    }
    const { client_user_id: clientUserId } = readParams(request);
    if (clientUserId !== undefined) {
      return (await this.data.findUserByClientId(teamId, clientUserId))?.userId;
    }
    const { userId, orderId } = readSubject(request);
    return orderId === undefined ? userId : (await this.data.getLabResult(teamId, orderId))?.userId;
  }
}
