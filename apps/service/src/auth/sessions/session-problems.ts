import type { SignInRefusal } from '@caregate/domain';
import { getErrorCode } from '@caregate/data-store/errors';
import { ProblemError } from '../../problem/problem-error.ts';

export const PROOF_ALGORITHMS = ['EdDSA', 'ES256'];

export const buildChallenge = (error: string): { readonly 'www-authenticate': string } => ({
  'www-authenticate': `DPoP algs="${PROOF_ALGORITHMS.join(' ')}", error="${error}"`,
});

/** Returns the same body for every cause, so that it doesn't reveal the cause. */
export function createSessionProblem(
  type: 'session-ended' | 'session-locked' | 'desk-revoked',
): ProblemError {
  return new ProblemError({ type, headers: buildChallenge('invalid_token') });
}

const SENTENCES: Readonly<Record<SignInRefusal, string>> = {
  expired: 'The ID token has expired. Sign in again; if it happens again, compare the clocks.',
  'not-yet-valid': 'The ID token is not valid yet. Compare the clocks of provider and service.',
  'wrong-issuer': 'The ID token is not of the identity provider of this clinic.',
  'wrong-audience': 'The ID token is for another application.',
  'wrong-nonce': 'The ID token was not requested by this desk.',
  'wrong-algorithm': 'The ID token is signed with an algorithm that is not accepted.',
  'bad-signature': 'The signature of the ID token is wrong.',
  'unknown-key': 'The ID token is signed with a key that the provider does not have.',
  'not-an-id-token': 'This is not an ID token.',
  used: 'This ID token was used before. Sign in again.',
  'unknown-person': "No staff member of this desk's team has this sign-in.",
  disabled: 'This person has been disabled.',
  'unknown-desk': 'This desk is not enrolled, or was revoked.',
  'provider-unreachable': 'The identity provider does not answer as one. Try again in a moment.',
  'stale-sign-in': 'Emergency access needs a sign-in of the last two minutes.',
  'other-person': 'A different person signed in than the user of this session.',
};

/** OpenSSL's error codes for certificates of an unknown authority, or of one that only has the name of a known one. */
const UNTRUSTED = /^(?:CERT_SIGNATURE_FAILURE|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/u;

/** The identity provider doesn't respond, or responds incorrectly. The message is for the user who signs in. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: string;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.code = getErrorCode(cause);
  }
}

/** A sign-in was refused. */
export class SignInError extends ProblemError {
  readonly refusal: SignInRefusal;

  constructor(refusal: SignInRefusal, cause?: unknown) {
    const isUnreachable = refusal === 'provider-unreachable';
    super(
      {
        type: isUnreachable ? refusal : 'sign-in-refused',
        reason: refusal,
        detail: isUnreachable ? describeUnreachable(cause) : SENTENCES[refusal],
        headers: isUnreachable ? { 'retry-after': '5' } : buildChallenge('invalid_token'),
      },
      { cause },
    );
    this.refusal = refusal;
  }
}

function describeUnreachable(cause: unknown): string {
  if (UNTRUSTED.test(getErrorCode(cause))) {
    return "The service does not trust the identity provider's certificate. It needs that of its authority, in the PEM file that NODE_EXTRA_CA_CERTS names.";
  }
  return cause instanceof ProviderError ? cause.message : SENTENCES['provider-unreachable'];
}
