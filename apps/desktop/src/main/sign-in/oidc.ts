import type { FetchFunction } from '@caregate/api-client';
import * as openid from 'openid-client';
import type { ProblemKind } from '../../shared/problem.ts';
import { classifyNetworkCode } from '../service/service-problem.ts';
import { withErrorCodes } from '../service/system-fetch.ts';
import type { ProviderAddress } from './browser-sign-in.ts';

interface Attempt {
  readonly redirectUri: string;
  readonly nonce: string;
  readonly state: string;
  readonly verifier: string;
  readonly isFresh: boolean;
}

export async function discover(
  { issuer, clientId, clientSecret }: ProviderAddress,
  fetch: FetchFunction,
): Promise<{ readonly client: openid.Configuration } | { readonly problem: ProblemKind }> {
  const authentication =
    clientSecret === undefined ? openid.None() : openid.ClientSecretPost(clientSecret);
  try {
    const discoverAs = (name: string): Promise<openid.Configuration> =>
      openid.discovery(new URL(name), clientId, undefined, authentication, {
        // oxlint-disable-next-line typescript/no-deprecated -- plain HTTP stays within this computer
        ...(isLoopback(new URL(name)) && { execute: [openid.allowInsecureRequests] }),
        [openid.customFetch]: (url, options) => withErrorCodes(fetch)(url, options as RequestInit),
        timeout: 15,
      });
    // The service stores the issuer without a trailing slash, but the provider's metadata may have one.
    const client = await discoverAs(issuer).catch((error: unknown) => {
      if (readCode(error) !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error;
      return discoverAs(`${issuer}/`);
    });
    const { authorization_endpoint: page = '', token_endpoint: tokens = '' } =
      client.serverMetadata();
    const isSafe = [page, tokens].map((one) => new URL(one)).every(isSecure);
    return isSafe ? { client } : { problem: 'providerBroken' };
  } catch (error) {
    return { problem: classify(error) };
  }
}

export async function buildAuthorizationUrl(
  client: openid.Configuration,
  { redirectUri, nonce, state, verifier, isFresh }: Attempt,
): Promise<URL> {
  return openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    // The clinic may have added users by their email addresses.
    scope: 'openid email',
    nonce,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { max_age: '0', prompt: 'login' }),
  });
}

export async function redeem(
  client: openid.Configuration,
  callback: URL,
  { nonce, state, verifier, isFresh }: Attempt,
): Promise<{ readonly idToken: string } | { readonly problem: ProblemKind }> {
  try {
    const { id_token: idToken } = await openid.authorizationCodeGrant(client, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      // Allows for a clock difference of one minute. The service checks the time again.
      ...(isFresh && { maxAge: 120 }),
    });
    return idToken === undefined ? { problem: 'providerBroken' } : { idToken };
  } catch (error) {
    return { problem: classify(error) };
  }
}

function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url);
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && hostname === '127.0.0.1';
}

function classify(error: unknown): ProblemKind {
  if (error instanceof openid.AuthorizationResponseError) return 'signInDenied';
  if (error instanceof openid.ResponseBodyError) {
    return error.error === 'invalid_grant' ? 'codeRefused' : 'providerBroken';
  }
  const name = readCode(error);
  if (name === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clockWrong';
  if (name === 'OAUTH_TIMEOUT') return 'providerOffline';
  if (name?.startsWith('OAUTH_') === true) return 'providerBroken';
  const kind = classifyNetworkCode(name);
  if (kind === 'untrustedCertificate') return 'providerUntrusted';
  if (kind === 'addressNotFound') return 'providerNotFound';
  return kind === 'serverBroken' ? 'providerBroken' : 'providerOffline';
}

function readCode(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].find((one) => typeof one === 'string');
}
