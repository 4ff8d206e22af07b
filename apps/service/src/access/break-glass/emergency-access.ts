import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HealthDataSource } from '../../source/health-data-source.ts';
import { AccessStore } from '../access-store.ts';
import { OPERATIONS, type OperationName } from '../../operations/operations.ts';
import type { Principal } from '../principal.ts';

/** Finds the grant under which a request that the table denies is let in after all. */
@Injectable()
export class EmergencyAccess {
  readonly #store: AccessStore;
  readonly #source: HealthDataSource | undefined;

  constructor(
    @Inject(AccessStore) store: AccessStore,
    @Optional() @Inject(HealthDataSource) source: HealthDataSource | undefined,
  ) {
    this.#store = store;
    this.#source = source;
  }

  /**
   * The grant's id where this key has one in force for the very patient asked about. Only a key that has a grant makes
   * the guard look up whom a client user id or an order belongs to; all others are refused before any look-up.
   */
  async grantFor(
    principal: Principal,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const grants = await this.#store.breakGlass.inForce(principal.keyId);
    if (grants.size === 0) {
      return undefined;
    }
    const userId = await this.#patientOf(principal.teamId, operation, request);
    return userId === undefined ? undefined : grants.get(userId.toLowerCase());
  }

  /** The patient whom the request is about; none for what is about several, or about nobody. */
  async #patientOf(
    teamId: string,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const params = (request.params ?? {}) as Readonly<Record<string, string | undefined>>;
    const { subject } = OPERATIONS[operation];
    switch (subject) {
      case 'user_id':
        return params[subject];
      case 'client_user_id':
        return (await this.#source?.resolveUser(teamId, params[subject] ?? ''))?.userId;
      case 'order_id':
        return (await this.#source?.labOrderResult(teamId, params[subject] ?? ''))?.userId;
      case null:
        return undefined;
    }
  }
}
