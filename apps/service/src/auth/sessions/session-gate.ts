import type { DeskKeyOffer } from '@caregate/domain';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import { AccessStore } from '../access-store.ts';
import { CONFIG } from '../../common/tokens.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { getPublicUrl } from '../../http/public-url.ts';
import { getHeaderValues, getRawPath } from '../../http/raw-request.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import type { StaffPrincipal } from '../caller.ts';
import { listValidKeys, type DeskRow } from '../repositories/desk.repository.ts';
import { toPrincipal, type SessionRow } from '../repositories/session.repository.ts';
import { ProofError, Proofs, type Proof, type ProvedRequest } from './proof.ts';
import { createSessionProblem, SignInError } from './session-problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    session?: SessionRow;
  }
}

/** Checks requests of desks: their sessions, and the proofs of their keys. */
@Injectable()
export class SessionGate {
  readonly #proofs: Proofs;

  constructor(
    private readonly access: AccessStore,
    @Inject(CONFIG) config: ServiceConfig,
    { httpAdapter }: HttpAdapterHost,
  ) {
    const publicUrl = getPublicUrl(config, () => httpAdapter.getHttpServer() as Server);
    this.#proofs = new Proofs(access.database.now, publicUrl);
  }

  /**
   * Authenticates a request of a session. Looks up the session first, so that a request without one needs no
   * signature verification. @throws ProblemError 400, 401
   */
  async authenticate(
    request: FastifyRequest,
    presented: PresentedSession | 'repeated',
    allowsLocked: boolean,
  ): Promise<StaffPrincipal> {
    if (presented === 'repeated') {
      throw createMalformedProblem('The headers authorization and dpop must be sent only once.');
    }
    if (request.raw.headers['x-service-api-key'] !== undefined) {
      throw createMalformedProblem('A session and an API key must not be sent together.');
    }
    const { token, proof } = presented;
    const session = await this.access.sessions.find(token);
    if (session === undefined) {
      throw createSessionProblem('session-ended');
    }
    const keys = listValidKeys(session, this.access.database.now());
    const key = await this.#checkProof(request, proof, { token, keys });
    this.#proofs.use(key);
    // Only the desk itself can get this response, since its proof was verified above.
    if (session.revoked_ms !== null) {
      throw createSessionProblem('desk-revoked');
    }
    if (session.locked_ms !== null && !allowsLocked) {
      throw createSessionProblem('session-locked');
    }
    await this.#activateOfferedKey(session, key);
    request.session = session;
    return toPrincipal(session);
  }

  /** Verifies the proof of a desk that is not enrolled yet, without marking it as used. @throws ProblemError 401 */
  async checkNewDesk(request: FastifyRequest): Promise<Proof> {
    return await this.#checkProof(request, readProof(request));
  }

  /** Finds the desk that sends a request without a session, and marks its proof as used. @throws ProblemError 401 */
  async requireDesk(request: FastifyRequest, deskId: string): Promise<DeskRow> {
    return (await this.#requireDeskAndKey(request, deskId)).desk;
  }

  /**
   * Verifies the offer of a next key. The desk's key must sign the proof of the next key as `ath`, and the next key
   * the ID of the desk.
   * @throws ProblemError 401
   */
  async checkOfferedKey(
    request: FastifyRequest,
    { desk_id: deskId, proof }: DeskKeyOffer,
  ): Promise<{ readonly by: string; readonly next: string }> {
    const { key } = await this.#requireDeskAndKey(request, deskId, proof);
    const next = await this.#checkProof(request, proof, { token: deskId });
    return { by: key.thumbprint, next: next.thumbprint };
  }

  async #requireDeskAndKey(
    request: FastifyRequest,
    deskId: string,
    token?: string,
  ): Promise<{ readonly desk: DeskRow; readonly key: Proof }> {
    const key = await this.#checkProof(request, readProof(request), { token });
    const desk = await this.access.desks.find(deskId);
    if (desk === undefined) {
      throw new SignInError('unknown-desk');
    }
    if (!listValidKeys(desk, this.access.database.now()).includes(key.thumbprint)) {
      throw new ProofError('key');
    }
    this.#proofs.use(key);
    await this.#activateOfferedKey(desk, key);
    return { desk, key };
  }

  async #activateOfferedKey(
    desk: Pick<DeskRow, 'desk_id' | 'second_thumbprint' | 'second_is_next'>,
    { thumbprint }: Proof,
  ): Promise<void> {
    if (thumbprint === desk.second_thumbprint && desk.second_is_next === 1) {
      await this.access.desks.activateOfferedKey(desk.desk_id, thumbprint);
    }
  }

  async #checkProof(
    { method, originalUrl }: FastifyRequest,
    proof: string | undefined,
    signed: Pick<ProvedRequest, 'token' | 'keys'> = {},
  ): Promise<Proof> {
    return await this.#proofs.check(proof, { method, path: getRawPath(originalUrl), ...signed });
  }
}

export interface PresentedSession {
  readonly token: string;
  readonly proof: string | undefined;
}

const SCHEME = /^dpop +/iu;

/** Ignores an `authorization` header with another scheme, which belongs to a proxy. */
export function readSession({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): PresentedSession | 'missing' | 'repeated' {
  if (headers.authorization === undefined) {
    return 'missing';
  }
  const authorizations = getHeaderValues(rawHeaders, 'authorization');
  const proofs = getHeaderValues(rawHeaders, 'dpop');
  if (!authorizations.some((value) => SCHEME.test(value))) {
    return 'missing';
  }
  if (authorizations.length > 1 || proofs.length > 1) {
    return 'repeated';
  }
  return { token: (authorizations[0] ?? '').replace(SCHEME, ''), proof: proofs[0] };
}

function readProof({ raw }: FastifyRequest): string | undefined {
  const [proof, another] = getHeaderValues(raw.rawHeaders, 'dpop');
  return another === undefined ? proof : undefined;
}

function createMalformedProblem(detail: string): ProblemError {
  return new ProblemError({ type: 'malformed-request', detail });
}
