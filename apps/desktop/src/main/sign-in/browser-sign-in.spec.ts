import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser, startIdentityProvider } from '@caregate/identity-provider';
import type { IdentityProvider } from '@caregate/identity-provider';
import { fetchWithCa } from './fetch-with-ca.testing.ts';
import { signInByBrowser } from './browser-sign-in.ts';
import { discover } from './oidc.ts';
import type { BrowserParts, SignInRequest } from './browser-sign-in.ts';

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(() => provider.stop());

/** The last page that the browser showed. */
let page: Promise<string>;
beforeEach(() => {
  page = Promise.resolve('');
});
const open = async (url: URL): Promise<string> => (await fetch(url)).text();

type Visit = (authorization: string) => Promise<URL>;
const visit = (subject: string | undefined): Visit => {
  const browser = new Browser(provider.caCertificate);
  return (url) => browser.signIn(url, subject);
};

function run(
  browser: Visit,
  more: { readonly parts?: Partial<BrowserParts>; readonly wish?: Partial<SignInRequest> } = {},
): ReturnType<typeof signInByBrowser> {
  const { issuer, clientId } = provider;
  return signInByBrowser(
    {
      fetch: fetchWithCa(provider.caCertificate),
      openBrowser: (url) => {
        page = browser(url).then(open);
        // In some tests the browser never returns, and has no page to show.
        page.catch(() => undefined);
        return Promise.resolve();
      },
      language: () => 'en',
      ...more.parts,
    },
    {
      provider: { issuer, clientId },
      nonce: 'n-1',
      isFresh: false,
      signal: new AbortController().signal,
      ...more.wish,
    },
  );
}

function claims(result: Awaited<ReturnType<typeof run>>): unknown {
  if ('problem' in result) return result;
  return JSON.parse(Buffer.from(result.idToken.split('.')[1]!, 'base64url').toString());
}

describe('a sign-in by the browser', () => {
  it('returns the user’s ID token with the desk’s nonce, and no other token', async () => {
    const result = await run(visit('clinician'));
    expect(Object.keys(result)).toEqual(['idToken']);
    expect(claims(result)).toMatchObject({ sub: 'clinician', nonce: 'n-1' });
    expect(await page).toContain('close this window');
  });

  it('makes the provider authenticate again if the token must be fresh', async () => {
    const before = Math.floor(Date.now() / 1000);
    const result = await run(visit('auditor'), { wish: { isFresh: true } });
    const found = claims(result) as { auth_time: number };
    expect(found.auth_time).toBeGreaterThanOrEqual(before);
  });

  it('reports a cancellation on the provider’s page', async () => {
    expect(await run(visit(undefined))).toEqual({ problem: 'signInDenied' });
    expect(await page).toContain('failed');
  });

  it('refuses the callback of another sign-in, and one without state', async () => {
    for (const state of ['another', undefined]) {
      const result = await run(async (url) => {
        const back = await visit('auditor')(url);
        if (state === undefined) back.searchParams.delete('state');
        else back.searchParams.set('state', state);
        return back;
      });
      expect(result).toEqual({ problem: 'wrongState' });
      expect(await page).toContain('failed');
    }
  });

  it('refuses a code of another provider (RFC 9207), and one that was used before', async () => {
    const elsewhere = await run(async (url) => {
      const back = await visit('auditor')(url);
      back.searchParams.set('iss', 'https://elsewhere.example');
      return back;
    });
    expect(elsewhere).toEqual({ problem: 'providerBroken' });
    const used = await run(async (url) => {
      const back = await visit('auditor')(url);
      back.searchParams.set('code', 'used-before');
      return back;
    });
    expect(used).toEqual({ problem: 'codeRefused' });
  });

  it('accepts one callback, only with the right path, host and method', async () => {
    let redirect = new URL('http://127.0.0.1');
    const statuses: (number | undefined)[] = [];
    const result = await run(async (url) => {
      redirect = new URL(new URL(url).searchParams.get('redirect_uri')!);
      for (const [path, method, host] of [
        ['/', 'GET', redirect.host],
        ['/callback', 'POST', redirect.host],
        ['/callback', 'GET', 'rebound.example'],
      ] as const) {
        const sent = request(new URL(path, redirect), { method, headers: { host } }).end();
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        statuses.push(answer.resume().statusCode);
      }
      return visit('auditor')(url);
    });
    expect(result).toHaveProperty('idToken');
    expect(statuses).toEqual([404, 404, 404]);
    await expect(fetch(redirect)).rejects.toThrow();
  });

  it('ends when it is cancelled, and after a timeout', async () => {
    const cancelling = new AbortController();
    const never: Visit = () => {
      cancelling.abort();
      return new Promise(() => undefined);
    };
    const { signal } = cancelling;
    expect(await run(never, { wish: { signal } })).toEqual({ problem: 'cancelled' });
    const forgotten = await run(() => new Promise(() => undefined), { parts: { timeoutMs: 1 } });
    expect(forgotten).toEqual({ problem: 'signInTimedOut' });
  });

  it('reports that no browser could be opened', async () => {
    const openBrowser = (): Promise<void> => Promise.reject(new Error('No application'));
    expect(await run(visit('auditor'), { parts: { openBrowser } })).toEqual({
      problem: 'browserNotOpened',
    });
  });

  it('reports an unreachable provider, at the beginning or in the middle', async () => {
    const middle = await run(async (url) => {
      const back = await visit('auditor')(url);
      await provider.down();
      return back;
    });
    expect(middle).toEqual({ problem: 'providerOffline' });
    expect(await page).toContain('failed');
    expect(await run(visit('auditor'))).toEqual({ problem: 'providerOffline' });
    await provider.up();
  });

  it.each([
    ['ERR_CERT_AUTHORITY_INVALID', 'providerUntrusted'],
    ['ERR_NAME_NOT_RESOLVED', 'providerNotFound'],
    ['ERR_INTERNET_DISCONNECTED', 'providerOffline'],
  ])('says why the provider can’t be reached, as Electron tells it: %s', async (code, problem) => {
    const parts = { fetch: () => Promise.reject(new Error(`net::${code}`)) };
    expect(await run(visit('auditor'), { parts })).toEqual({ problem });
  });

  it('opens only addresses with https or on this computer', async () => {
    const fetchIt = fetchWithCa(provider.caCertificate);
    const parts: Partial<BrowserParts> = {
      fetch: async (url, init) => {
        const answer = await fetchIt(url, init);
        if (!url.includes('.well-known')) return answer;
        const found = (await answer.json()) as object;
        return Response.json({ ...found, authorization_endpoint: 'file:///etc/passwd' });
      },
    };
    expect(await run(visit('auditor'), { parts })).toEqual({ problem: 'providerBroken' });
  });

  it('says that this computer\u2019s clock is wrong if the time of the ID token differs', async () => {
    const now = Date.now;
    const fetchIt = fetchWithCa(provider.caCertificate);
    const parts: Partial<BrowserParts> = {
      fetch: async (url, init) => {
        const answer = await fetchIt(url, init);
        // The provider of this test has the same clock, so the check can't run earlier.
        if (url.endsWith('/token')) Date.now = () => now() + 24 * 3600 * 1000;
        return answer;
      },
    };
    const result = await run(visit('auditor'), { parts });
    Date.now = now;
    expect(result).toEqual({ problem: 'clockWrong' });
  });
});

describe('an issuer with a slash at its end', () => {
  /** A real provider whose metadata has another issuer and another path. */
  const discovered = async (issuer: string): ReturnType<typeof discover> => {
    const fetch = fetchWithCa(provider.caCertificate);
    const renamed: typeof fetch = async (url, init) => {
      const answer = await fetch(url.replace('/clinic/', '/'), init);
      const configuration = (await answer.json()) as Record<string, unknown>;
      return Response.json({ ...configuration, issuer });
    };
    const address = { issuer: `${provider.issuer}/clinic`, clientId: 'desk' };
    return await discover(address, renamed);
  };

  it.each(['/clinic', '/clinic/'])('is found without the slash: %s', async (path) => {
    const found = await discovered(provider.issuer + path);
    expect('client' in found && found.client.serverMetadata().issuer).toBe(provider.issuer + path);
  });

  it('is refused if its name differs', async () => {
    expect(await discovered(`${provider.issuer}/other`)).toEqual({ problem: 'providerBroken' });
  });
});
