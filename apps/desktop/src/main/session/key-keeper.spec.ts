import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyKeeper } from './key-keeper.ts';
import { sealedByXor as storage } from './key-keeper.testing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-keeper-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('KeyKeeper', () => {
  it('keeps a sealed key for its address alone, readable by its owner alone', () => {
    const keeper = new KeyKeeper(storage('gnome_libsecret'), folder);
    keeper.hold('https://a.example', 'cg_live_1_s');
    expect(readdirSync(folder)).toEqual([]);
    keeper.keep();
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
    keeper.hold('https://a.example', 'k');
    expect(keeper.holds()).toBe(false);
    keeper.keep();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps nothing where there is no encryption', () => {
    const keeper = new KeyKeeper(storage(undefined, false), folder);
    keeper.hold('https://a.example', 'k');
    expect(keeper.holds()).toBe(false);
    keeper.keep();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has no key where the file is broken', () => {
    const keeper = new KeyKeeper(storage(), folder);
    keeper.hold('https://a.example', 'k');
    keeper.keep();
    const other = new KeyKeeper({ ...storage(), decryptString: () => '{' }, folder);
    expect(other.kept('https://a.example')).toBeUndefined();
  });

  it('keeps nothing, and lets the sign-out go on, where the file cannot be written', () => {
    const gone = join(folder, 'gone');
    const keeper = new KeyKeeper(storage(), gone);
    keeper.hold('https://a.example', 'k');
    expect(() => {
      keeper.keep();
    }).not.toThrow();
    expect(keeper.kept('https://a.example')).toBeUndefined();
  });

  it('keeps nothing that was dropped, and holds nothing once it is kept', () => {
    const keeper = new KeyKeeper(storage(), folder);
    keeper.hold('https://a.example', 'k');
    keeper.drop();
    keeper.keep();
    expect(readdirSync(folder)).toEqual([]);
    keeper.hold('https://a.example', 'k');
    keeper.keep();
    expect(keeper.holds()).toBe(false);
  });
});
