import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { createBuilderConfig } from './builder-config.ts';
import type { Kind } from './kinds.ts';

const configOf = (
  kind: Kind,
  env: Record<string, string> = {},
): ReturnType<typeof createBuilderConfig> =>
  createBuilderConfig({ kind, electron: { folder: '/e', version: '45.4.1' }, output: '/o', env });

describe('the configuration of the packages', () => {
  it('stops a release that it can’t sign, and has macOS know it', () => {
    expect(configOf('release')).toMatchObject({
      forceCodeSigning: true,
      mac: { hardenedRuntime: true, notarize: true },
      dmg: { sign: true },
    });
    expect(configOf('development').forceCodeSigning).toBe(false);
  });

  it('names files that are there', () => {
    const { linux, win, mac } = configOf('release');
    const files = [linux.icon, win.icon, mac.icon, mac.entitlements, mac.entitlementsInherit];
    expect(files.map((file) => existsSync(file))).toEqual(Array(5).fill(true));
  });

  it('keeps the three kinds apart on one computer', () => {
    const kinds = ['release', 'development', 'test'] as const;
    for (const key of ['appId', 'productName', 'executableName', 'artifactName'] as const) {
      expect(new Set(kinds.map((kind) => configOf(kind)[key])).size).toBe(3);
    }
  });

  it('signs on Windows by an account at Azure where it is named', () => {
    expect(configOf('release').win).not.toHaveProperty('azureSignOptions');
    expect(configOf('release', { AZURE_SIGNING_ENDPOINT: 'https://a.example' }).win).toMatchObject({
      azureSignOptions: { endpoint: 'https://a.example' },
    });
  });
});
