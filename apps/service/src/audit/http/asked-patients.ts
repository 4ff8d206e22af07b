import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidParameters, orNotFound } from '../../problem/problem-error.ts';
import { HealthDataSource } from '../../source/health-data-source.ts';

/** The patient whom an auditor asks about, by either of two ids. */
interface AskedPatient {
  readonly patient?: string | undefined;
  readonly client_user_id?: string | undefined;
}

/** Finds whom an auditor asks about: staff know patients by the id of the clinic, and the log by user ids alone. */
@Injectable()
export class AskedPatients {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  /**
   * The user id in lower case; undefined if the query is about nobody.
   *
   * @throws ProblemError 422 for both ids; 404 if the team has nobody with the client user id
   */
  async userIdOf(
    teamId: string,
    { patient, client_user_id: clientUserId }: AskedPatient,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    if (clientUserId === undefined) {
      return patient?.toLowerCase();
    }
    if (patient !== undefined) {
      const reason = 'must not be given beside patient';
      throw invalidParameters({ parameter: 'client_user_id', reason });
    }
    // Aborted on timeout or disconnect.
    const signal = request.deadline?.signal ?? request.signal;
    const call = { requestId: request.id, signal };
    return orNotFound(await this.#source.read('resolveUser', teamId, clientUserId, call)).userId;
  }
}
