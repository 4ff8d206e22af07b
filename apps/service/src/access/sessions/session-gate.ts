import type { FastifyRequest } from 'fastify';
import { rawPath } from '../../http/raw-request.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import type { StaffPrincipal } from '../principal.ts';
import { proofProblem, sessionProblem } from './session-problems.ts';
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

export class SessionGate {
  readonly #sessions: SessionStore;
  readonly #proofs: Proofs;

  constructor(sessions: SessionStore, proofs: Proofs) {
    this.#sessions = sessions;
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
    const session = token === undefined ? undefined : await this.#sessions.find(token);
    if (session === undefined || token === undefined) {
      throw sessionProblem('session-ended');
    }
    const key = this.#checked(request, proof, { token: token.token, of: session.thumbprint });
    this.#used(key);
    // Only the desk itself is told, proved above.
    if (session.revoked_ms !== null) {
      throw sessionProblem('desk-revoked');
    }
    if (session.locked_ms !== null && !allowsLocked) {
      throw sessionProblem('session-locked');
    }
    request.session = session;
    return principalOfSession(session);
  }

  /** Before there is a session; does not use the proof up. @throws ProblemError 401 */
  keyOf(request: FastifyRequest): ProofKey & { readonly jti: string } {
    return this.#checked(request, proofOfRequest(request.raw.rawHeaders), {
      token: undefined,
      of: undefined,
    });
  }

  /** Before there is a session; uses the proof up. @throws ProblemError 401 */
  requireDesk(request: FastifyRequest, { thumbprint }: { readonly thumbprint: string }): void {
    const proof = proofOfRequest(request.raw.rawHeaders);
    this.#used(this.#checked(request, proof, { token: undefined, of: thumbprint }));
  }

  #checked(
    request: FastifyRequest,
    proof: string | undefined,
    {
      token,
      of: thumbprint,
    }: { readonly token: string | undefined; readonly of: string | undefined },
  ): ProofKey & { readonly jti: string } {
    const { method, originalUrl } = request;
    const proved = { method, path: rawPath(originalUrl), token, thumbprint };
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
