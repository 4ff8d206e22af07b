import { randomBytes } from 'node:crypto';
import type { FetchFunction } from '@caregate/api-client';
import type { Language } from '../../shared/app-state.ts';
import type { ProblemKind } from '../../shared/problem.ts';
import { renderCallbackPage } from './callback-page.ts';
import { listenOnce, type Loopback } from './loopback.ts';

export interface ProviderAddress {
  readonly issuer: string;
  readonly clientId: string;
  /** Google issues a client secret for desktop clients, which isn't confidential. */
  readonly clientSecret?: string;
}

export interface BrowserParts {
  readonly fetch: FetchFunction;
  readonly openBrowser: (url: string) => Promise<void>;
  readonly language: () => Language;
  readonly timeoutMs?: number;
}

export interface SignInRequest {
  readonly provider: ProviderAddress;
  readonly nonce: string;
  /** Whether the provider has to authenticate the user again. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}

const defaultTimeoutMs = 5 * 60_000;

export type SignInResult = { readonly idToken: string } | { readonly problem: ProblemKind };
const fail = (problem: ProblemKind): SignInResult => ({ problem });

/**
 * Signs in by the authorization code flow with PKCE and `state`, with a redirect to a loopback port (RFC 8252). Keeps
 * only the ID token. Never throws.
 */
export async function signInByBrowser(
  parts: BrowserParts,
  request: SignInRequest,
): Promise<SignInResult> {
  let loopback: Loopback;
  try {
    loopback = await listenOnce();
  } catch {
    return fail('portTaken');
  }
  try {
    return await signIn(parts, request, loopback);
  } finally {
    loopback.close();
  }
}

async function signIn(
  { fetch, openBrowser, language, timeoutMs = defaultTimeoutMs }: BrowserParts,
  { provider, nonce, isFresh, signal }: SignInRequest,
  { redirectUri, callback }: Loopback,
): Promise<SignInResult> {
  const oidc = await import('./oidc.ts');
  const found = await oidc.discover(provider, fetch);
  if ('problem' in found) return found;
  const state = randomBytes(24).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const { client } = found;
  const request = { redirectUri, nonce, state, verifier, isFresh };
  const url = await oidc.buildAuthorizationUrl(client, request);
  if (signal.aborted) return fail('cancelled');
  try {
    await openBrowser(url.href);
  } catch {
    return fail('browserNotOpened');
  }
  const aborts = [
    waitForAbort(signal, 'cancelled'),
    waitForAbort(AbortSignal.timeout(timeoutMs), 'signInTimedOut'),
  ];
  const outcome = await Promise.race([callback, ...aborts]);
  if ('problem' in outcome) return outcome;
  const returnedState = outcome.url.searchParams.get('state');
  // A callback with another `state` is ignored, even if it reports an error.
  const result =
    returnedState === state ? await oidc.redeem(client, outcome.url, request) : fail('wrongState');
  outcome.answer(renderCallbackPage(language(), 'idToken' in result));
  return result;
}

function waitForAbort(
  signal: AbortSignal,
  problem: ProblemKind,
): Promise<{ problem: ProblemKind }> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ problem });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
