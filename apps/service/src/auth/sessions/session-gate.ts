import type { DeskKeyOffer } from '@caregate/domain';
import type { FastifyRequest } from 'fastify';
import { rawPath } from '../../http/raw-request.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import type { StaffPrincipal } from '../principal.ts';
import { keysOf, type DeskRow, type DeskStore } from '../desks/desk-store.ts';
import { SignInError } from './person.ts';
import { asProblem, proofProblem, sessionProblem } from './session-problems.ts';
import { ProofError, type Proofs } from './proof.ts';
import type { ProofKey } from './proof-key.ts';
import type { SessionRow } from './session-lookup.ts';
import { principalOfSession, type SessionStore } from './session-store.ts';
import { proofOfRequest, type PresentedSession } from './session-token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    session?: SessionRow;
  }
}

interface GatedAccess {
  readonly sessions: SessionStore;
  readonly desks: DeskStore;
  readonly now: () => number;
}

export class SessionGate {
  readonly #access: GatedAccess;
  readonly #proofs: Proofs;

  constructor(access: GatedAccess, proofs: Proofs) {
    this.#access = access;
    this.#proofs = proofs;
  }

  /** Looks the session up first, so that a proof without one costs no signature check. @throws ProblemError 400, 401 */
  async authenticate(
    request: FastifyRequest,
    presented: PresentedSession | 'repeated',
    allowsLocked: boolean,
  ): Promise<StaffPrincipal> {
    if (presented === 'repeated') {
      throw malformed('The headers authorization and dpop must be sent only once.');
    }
    if (request.raw.headers['x-service-api-key'] !== undefined) {
      throw malformed('A session and an API key must not be sent together.');
    }
    const { token, proof } = presented;
    const session = token === undefined ? undefined : await this.#access.sessions.find(token);
    if (session === undefined || token === undefined) {
      throw sessionProblem('session-ended');
    }
    const keys = keysOf(session, this.#access.now());
    const key = this.#checked(request, proof, { token: token.token, keys });
    this.#used(key);
    // Only the desk itself is told, proved above.
    if (session.revoked_ms !== null) {
      throw sessionProblem('desk-revoked');
    }
    if (session.locked_ms !== null && !allowsLocked) {
      throw sessionProblem('session-locked');
    }
    await this.#turned(session, key);
    request.session = session;
    return principalOfSession(session);
  }

  /** Before there is a session; does not use the proof up. @throws ProblemError 401 */
  keyOf(request: FastifyRequest): ProofKey & { readonly jti: string } {
    return this.#checked(request, proofOfRequest(request.raw.rawHeaders));
  }

  /** Before there is a session; uses the proof up. @throws ProblemError 401 */
  async deskOf(request: FastifyRequest, deskId: string): Promise<DeskRow> {
    return (await this.#desk(request, deskId)).desk;
  }

  /**
   * The desk's key signs the proof of the next one, as `ath`; the next one signs the id of the desk.
   * @throws ProblemError 401
   */
  async offeredKey(
    request: FastifyRequest,
    { desk_id: deskId, proof }: DeskKeyOffer,
  ): Promise<{ readonly by: string; readonly next: string }> {
    const { key } = await this.#desk(request, deskId, proof);
    const next = this.#checked(request, proof, { token: deskId });
    return { by: key.thumbprint, next: next.thumbprint };
  }

  async #desk(
    request: FastifyRequest,
    deskId: string,
    token?: string,
  ): Promise<{ readonly desk: DeskRow; readonly key: ProofKey }> {
    const key = this.#checked(request, proofOfRequest(request.raw.rawHeaders), { token });
    const desk = await this.#access.desks.find(deskId);
    if (desk === undefined) {
      return asProblem(new SignInError('unknown-desk'));
    }
    if (!keysOf(desk, this.#access.now()).includes(key.thumbprint)) {
      throw proofProblem(new ProofError('key'));
    }
    this.#used(key);
    await this.#turned(desk, key);
    return { desk, key };
  }

  async #turned(
    desk: Pick<DeskRow, 'desk_id' | 'second_thumbprint' | 'second_is_next'>,
    { thumbprint }: ProofKey,
  ): Promise<void> {
    if (thumbprint === desk.second_thumbprint && desk.second_is_next === 1) {
      await this.#access.desks.turnKey(desk.desk_id, thumbprint);
    }
  }

  #checked(
    request: FastifyRequest,
    proof: string | undefined,
    {
      token,
      keys,
    }: { readonly token?: string | undefined; readonly keys?: readonly string[] } = {},
  ): ProofKey & { readonly jti: string } {
    const { method, originalUrl } = request;
    const proved = { method, path: rawPath(originalUrl), token, keys };
    return orProblem(() => this.#proofs.check(proof, proved));
  }

  #used(key: { readonly thumbprint: string; readonly jti: string }): void {
    orProblem(() => {
      this.#proofs.use(key);
    });
  }
}

function orProblem<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    throw error instanceof ProofError ? proofProblem(error) : error;
  }
}

function malformed(detail: string): ProblemError {
  return new ProblemError({ type: 'malformed-request', detail });
}
