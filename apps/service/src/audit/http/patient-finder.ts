import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidParameters, orNotFound } from '../../problem/problem-error.ts';
import { HealthDataSource } from '@caregate/data-store';

interface PatientQuery {
  readonly patient?: string | undefined;
  readonly client_user_id?: string | undefined;
}

/** Finds the patient in an auditor's query: staff know patients by the id of the clinic, the log by user ids alone. */
@Injectable()
export class PatientFinder {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  /** The user id in lower case. @throws ProblemError 422 for both ids; 404 if the team has nobody with the client user id */
  async userIdOf(
    teamId: string,
    { patient, client_user_id: clientUserId }: PatientQuery,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    if (clientUserId === undefined) {
      return patient?.toLowerCase();
    }
    if (patient !== undefined) {
      const reason = 'must not be given beside patient';
      throw invalidParameters({ parameter: 'client_user_id', reason });
    }
    const signal = request.timeout?.signal ?? request.signal;
    const call = { requestId: request.id, signal };
    return orNotFound(await this.#source.read('resolveUser', teamId, clientUserId, call)).userId;
  }
}
