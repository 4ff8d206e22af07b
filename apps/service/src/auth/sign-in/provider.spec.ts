import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { signIn, startIdentityProvider, type IdentityProvider } from '@caregate/identity-provider';
import { errors, jwtVerify } from 'jose';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Provider } from './provider.ts';

let provider: IdentityProvider;
beforeEach(async () => {
  provider = await startIdentityProvider();
  setDefaultCACertificates([...getCACertificates('bundled'), provider.caCertificate]);
});
afterEach(async () => {
  setDefaultCACertificates(getCACertificates('bundled'));
  await provider.stop();
});

const hour = 3_600_000;

function createProvider(askAgainMs?: number): {
  readonly clock: { nowMs: number };
  readonly verified: () => Promise<string | undefined>;
} {
  const clock = { nowMs: 10 * hour };
  const keys = new Provider(provider.issuer, askAgainMs, () => clock.nowMs);
  return {
    clock,
    verified: async () => {
      const { id_token: token } = await signIn(provider, 'clinician', { nonce: 'n' });
      return (await jwtVerify(token, await keys.getKeys())).payload.sub;
    },
  };
}

describe('a provider that rotates its keys', () => {
  it('is asked for new keys after the cooldown only', async () => {
    const [inPause, afterPause] = [createProvider(hour), createProvider(0)];
    for (const { verified } of [inPause, afterPause]) expect(await verified()).toBe('clinician');
    await provider.rotateKeys();
    await expect(inPause.verified()).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
    expect(await afterPause.verified()).toBe('clinician');
    // The response with the new keys replaces the previous ones.
    await provider.rotateKeys();
    expect(await afterPause.verified()).toBe('clinician');
  });

  it('is trusted with its old keys while it is down, and with new ones afterwards', async () => {
    const { clock, verified } = createProvider(0);
    const { id_token: token } = await signIn(provider, 'clinician', { nonce: 'n' });
    expect(await verified()).toBe('clinician');
    clock.nowMs += 2 * hour;
    await provider.down();
    const none = new Provider(provider.issuer, undefined, () => clock.nowMs);
    await expect(none.getKeys()).rejects.toThrow('does not answer');
    await provider.up();
    await provider.rotateKeys();
    clock.nowMs += 2 * hour;
    expect(await verified()).toBe('clinician');
    await expect(
      jwtVerify(token, await new Provider(provider.issuer).getKeys()),
    ).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
  });
});
