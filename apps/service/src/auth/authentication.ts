import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isOperation, OPERATIONS } from '../operations/operations.ts';
import { isFhir, ProblemError } from '../problem/problem-error.ts';
import { keyOfRequest } from './key-format.ts';
import { operationOf } from './operation.decorator.ts';
import type { Principal } from './principal.ts';
import { KeyRepository } from './repositories/key.repository.ts';
import { SessionGate, sessionOfRequest } from './sessions/session-gate.ts';

/** Finds out who sent a request: the holder of an API key, or a person in a session at a desk. */
@Injectable()
export class Authentication {
  constructor(
    private readonly keys: KeyRepository,
    private readonly sessions: SessionGate,
  ) {}

  /** @throws ProblemError 400 for credentials sent twice, 401 */
  async principalOf(request: FastifyRequest): Promise<Principal> {
    const session = sessionOfRequest(request.raw);
    if (session !== 'missing') {
      const operation = operationOf(request);
      const allowsLocked = isOperation(operation) && OPERATIONS[operation].session === 'open';
      return await this.sessions.authenticate(request, session, allowsLocked);
    }
    const principal = await this.#holderOfKey(request);
    if (principal === undefined) {
      throw unauthorized(request);
    }
    return principal;
  }

  async #holderOfKey(request: FastifyRequest): Promise<Principal | undefined> {
    const key = keyOfRequest(request.raw);
    if (key === 'missing') {
      return undefined;
    }
    if (key === 'repeated') {
      throw new ProblemError({
        type: 'malformed-request',
        detail: isFhir(request.raw.url)
          ? 'The key must be sent only once: as Authorization: Bearer, or in x-service-api-key.'
          : 'The header x-service-api-key must be sent only once.',
      });
    }
    return await this.keys.authenticate(key.text, request.clientAddress);
  }
}

/** The same body for every cause (missing, unknown, wrong, expired, revoked, wrong network), so that it reveals none. */
function unauthorized({ raw }: FastifyRequest): ProblemError {
  return new ProblemError({
    type: 'unauthorized',
    ...(isFhir(raw.url) && {
      detail: 'A valid team API key is required as Authorization: Bearer.',
    }),
    headers: {
      'www-authenticate': isFhir(raw.url)
        ? 'Bearer realm="caregate"'
        : 'ApiKey realm="caregate", header="x-service-api-key"',
    },
  });
}
