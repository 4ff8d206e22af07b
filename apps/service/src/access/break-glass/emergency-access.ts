import { Inject, Injectable, Optional } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HealthDataSource } from '../../source/health-data-source.ts';
import { AccessStore } from '../access-store.ts';
import { subjectOf, type OperationName } from '../../operations/operations.ts';
import type { Principal } from '../principal.ts';

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

  /** Looks the patient up only for callers with a grant; all others are refused first. */
  async grantFor(
    principal: Principal,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const grants = await this.#store.breakGlass.inForce(principal);
    if (grants.size === 0) {
      return undefined;
    }
    const userId = await this.#patientOf(principal.teamId, operation, request);
    return userId === undefined ? undefined : grants.get(userId.toLowerCase());
  }

  /** Undefined if the request is about several patients or none. */
  async #patientOf(
    teamId: string,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const params = (request.params ?? {}) as Readonly<Record<string, string | undefined>>;
    const subject = subjectOf(operation);
    switch (subject) {
      case 'user_id':
        return params[subject];
      case 'client_user_id':
        return (await this.#source?.read('resolveUser', teamId, params[subject] ?? ''))?.userId;
      case 'order_id':
        return (await this.#source?.read('labOrderResult', teamId, params[subject] ?? ''))?.userId;
      case undefined:
        return undefined;
    }
  }
}
