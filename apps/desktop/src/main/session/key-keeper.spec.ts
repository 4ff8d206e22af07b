import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyKeeper } from './key-keeper.ts';
import type { SafeStorage } from './key-keeper.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-keeper-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function storage(backend?: string, available = true): SafeStorage {
  return {
    isEncryptionAvailable: () => available,
    encryptString: (text) => Buffer.from(text).map((byte) => byte ^ 0x5a) as Buffer,
    decryptString: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 0x5a)).toString(),
    ...(backend !== undefined && { getSelectedStorageBackend: () => backend }),
  };
}

describe('KeyKeeper', () => {
  it('keeps a sealed key for its address alone, readable by its owner alone', () => {
    const keeper = new KeyKeeper(storage('gnome_libsecret'), folder);
    expect(keeper.keep('https://a.example', 'cg_live_1_s')).toBe(true);
    expect(keeper.kept('https://a.example')).toBe('cg_live_1_s');
    expect(keeper.kept('https://b.example')).toBeUndefined();
    const [file] = readdirSync(folder);
    expect(readFileSync(join(folder, file!), 'latin1')).not.toContain('cg_live');
    expect(statSync(join(folder, file!)).mode & 0o077).toBe(0);
    keeper.forget();
    expect(keeper.kept('https://a.example')).toBeUndefined();
  });

  it.each([['basic_text'], ['unknown']])('keeps nothing where the backend is %s', (backend) => {
    const keeper = new KeyKeeper(storage(backend), folder);
    expect(keeper.canKeep()).toBe(false);
    expect(keeper.keep('https://a.example', 'k')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps nothing where there is no encryption', () => {
    const keeper = new KeyKeeper(storage(undefined, false), folder);
    expect(keeper.keep('https://a.example', 'k')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has no key where the file is broken', () => {
    const keeper = new KeyKeeper(storage(), folder);
    keeper.keep('https://a.example', 'k');
    const other = new KeyKeeper({ ...storage(), decryptString: () => '{' }, folder);
    expect(other.kept('https://a.example')).toBeUndefined();
  });
});
