import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { formatHost, isLoopback, withoutFinalSlash } from '../../config/parsers.ts';
import { ProviderError } from '../sessions/session-problems.ts';
import { NodeTransport } from '@caregate/api-client/node';

const TIMEOUT_MS = 5000;
const MOST_BYTES = 512 * 1024;
const DISCOVERY_TTL_MS = 3_600_000;
/** Minimum time in milliseconds between two requests for unknown keys. */
const REFETCH_DELAY_MS = 30_000;

/** The clinic's identity provider. Its configuration is read by OpenID Connect Discovery at the first sign-in. */
export class Provider {
  readonly #http = new NodeTransport({ keepAlive: false });
  #keys: { readonly from: string; readonly get: JWTVerifyGetKey } | undefined;
  #discoveredMs = -Infinity;

  /** @param issuer URL without a slash at its end */
  constructor(
    readonly issuer: string,
    private readonly refetchDelayMs = REFETCH_DELAY_MS,
    private readonly now = () => performance.now(),
  ) {}

  /** @throws ProviderError */
  async getKeys(): Promise<JWTVerifyGetKey> {
    if (this.#keys !== undefined && this.now() - this.#discoveredMs < DISCOVERY_TTL_MS) {
      return this.#keys.get;
    }
    try {
      return await this.#discover();
    } catch (error) {
      // If the provider is unreachable, sign-ins still work with the previous keys.
      if (this.#keys !== undefined) {
        return this.#keys.get;
      }
      throw error;
    }
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const address = `${this.issuer}/.well-known/openid-configuration`;
    const text = await this.#get(address);
    const { issuer, jwks_uri: uri } = (parseJson(text) ?? {}) as Record<string, unknown>;
    if (typeof issuer !== 'string' || withoutFinalSlash(issuer) !== this.issuer) {
      throw new ProviderError(
        `The identity provider reports the issuer ${JSON.stringify(issuer)}, but CAREGATE_OIDC_ISSUER is "${this.issuer}".`,
      );
    }
    if (typeof uri !== 'string' || !isSecure(uri)) {
      throw new ProviderError(
        'The configuration of the identity provider has no https:// URL of its keys (jwks_uri).',
      );
    }
    if (this.#keys?.from !== uri) {
      this.#keys = {
        from: uri,
        get: withOnlyKey(
          createRemoteJWKSet(new URL(uri), {
            timeoutDuration: TIMEOUT_MS,
            cooldownDuration: this.refetchDelayMs,
            [customFetch]: async (url) => new Response(await this.#get(url)),
          }),
        ),
      };
    }
    this.#discoveredMs = this.now();
    return this.#keys.get;
  }

  /** @throws ProviderError */
  async #get(url: string): Promise<string> {
    try {
      const { status, body } = await this.#http.request({
        ...{ method: 'GET', url, headers: { accept: 'application/json' } },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        maxBodyBytes: MOST_BYTES,
      });
      if (status !== 200) {
        throw new Error(`It answered with status ${status}`);
      }
      return body;
    } catch (error) {
      const message = 'The identity provider does not answer. Try again in a moment.';
      throw new ProviderError(message, error);
    }
  }
}

/** Selects the key of a provider that has only one and omits its `kid`, although its tokens have one. */
function withOnlyKey(keys: ReturnType<typeof createRemoteJWKSet>): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      const signing = keys.jwks()?.keys.filter(({ use }) => use !== 'enc') ?? [];
      const isOnlyKey = signing.length === 1 && signing[0]?.kid === undefined;
      if (!(error instanceof errors.JWKSNoMatchingKey && isOnlyKey)) {
        throw error;
      }
      const { kid: _, ...withoutId } = header;
      return await keys(withoutId, token);
    }
  };
}

/** Whether a URL uses TLS or is on this machine. */
function isSecure(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(formatHost(url))))
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
