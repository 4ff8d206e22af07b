import { errors, jwtVerify, type JWTPayload, type JWTVerifyResult } from 'jose';
import { hash } from 'node:crypto';
import type { SignInRefusal } from '@caregate/domain';
import type { Identity } from '../repositories/session.repository.ts';
import { ProviderError, SignInError } from '../sessions/session-problems.ts';
import type { Provider } from './provider.ts';

/** A fixed list, so that the token can't choose the algorithm. */
const ID_TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const SKEW_SECONDS = 60;
const MOST_CHARACTERS = 32_768;

export interface CheckedIdentity extends Identity {
  /** When the user last authenticated, in milliseconds since 1970. */
  readonly authTimeMs: number | undefined;
}

/** Verifies ID tokens of the identity provider. */
export class IdTokens {
  constructor(
    private readonly provider: Provider,
    private readonly clientId: string,
    private readonly now: () => number,
  ) {}

  /** @throws SignInError with the first reason to refuse the token */
  async check(token: string, nonces: readonly string[]): Promise<CheckedIdentity> {
    if (token.length > MOST_CHARACTERS) {
      throw new SignInError('not-an-id-token');
    }
    const { payload, protectedHeader } = await this.#verify(token);
    const { sub, nonce, exp, aud, azp, typ, token_use: use } = payload;
    const type = protectedHeader.typ?.toLowerCase();
    // Rejects access tokens. RFC 9068 marks them in the header; Keycloak and Cognito use a claim. None of them has
    // the nonce.
    if (
      (type !== undefined && type !== 'jwt') ||
      (typ !== undefined && typ !== 'ID') ||
      (use !== undefined && use !== 'id') ||
      typeof sub !== 'string' ||
      sub === '' ||
      exp === undefined ||
      nonce === undefined
    ) {
      throw new SignInError('not-an-id-token');
    }
    if (Array.isArray(aud) && aud.length > 1 && azp !== this.clientId) {
      throw new SignInError('wrong-audience');
    }
    if (typeof nonce !== 'string' || !nonces.includes(nonce)) {
      throw new SignInError('wrong-nonce');
    }
    const { auth_time: authTime } = payload;
    return {
      issuer: this.provider.issuer,
      subject: sub,
      ...readVerifiedEmail(payload),
      authTimeMs: typeof authTime === 'number' ? authTime * 1000 : undefined,
      token: {
        // The hash covers the signed part only, since a signature can be encoded in several ways.
        hash: hash('sha256', token.slice(0, token.lastIndexOf('.')), 'buffer'),
        expiresMs: (exp + 2 * SKEW_SECONDS) * 1000,
      },
    };
  }

  async #verify(token: string): Promise<JWTVerifyResult> {
    try {
      const keys = await this.provider.getKeys();
      return await jwtVerify(token, keys, {
        algorithms: ID_TOKEN_ALGORITHMS,
        issuer: [this.provider.issuer, `${this.provider.issuer}/`],
        audience: this.clientId,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.now()),
      });
    } catch (error) {
      throw new SignInError(toRefusal(error), error);
    }
  }
}

/** The nonce binds an ID token to the key of the desk. */
export function computeNonce(thumbprint: string, random: string): string {
  return hash('sha256', `${thumbprint}.${random}`, 'base64url');
}

function readVerifiedEmail({
  email,
  email_verified: isVerified,
  xms_edov: isDomainVerified,
}: JWTPayload): Pick<CheckedIdentity, 'email' | 'missingClaim'> {
  if (typeof email !== 'string') {
    return { email: undefined, missingClaim: 'email' };
  }
  // Entra ID has a claim of its own, which never overrides `email_verified`.
  return isTrueClaim(isVerified ?? isDomainVerified)
    ? { email, missingClaim: undefined }
    : { email: undefined, missingClaim: 'email_verified' };
}

/** Providers write `true` in several ways. */
function isTrueClaim(claim: unknown): boolean {
  return [true, 1, '1', 'true'].some((value) => value === claim);
}

const REFUSALS_BY_CLAIM: Readonly<Record<string, SignInRefusal>> = {
  iss: 'wrong-issuer',
  aud: 'wrong-audience',
  nbf: 'not-yet-valid',
  exp: 'not-an-id-token',
};

const REFUSALS_BY_CODE: Readonly<Record<string, SignInRefusal>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'wrong-algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'wrong-algorithm',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'bad-signature',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown-key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'unknown-key',
  ERR_JWS_INVALID: 'not-an-id-token',
  ERR_JWT_INVALID: 'not-an-id-token',
};

function toRefusal(error: unknown): SignInRefusal {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return REFUSALS_BY_CLAIM[error.claim] ?? 'not-an-id-token';
  }
  if (error instanceof ProviderError) {
    return 'provider-unreachable';
  }
  // Any other code means that the provider's response is faulty.
  return error instanceof errors.JOSEError
    ? (REFUSALS_BY_CODE[error.code] ?? 'provider-unreachable')
    : 'not-an-id-token';
}
