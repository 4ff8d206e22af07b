import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import { KeyStore } from './key-store.ts';
import { sealedByXor as storage } from '../files/sealed-by-xor.testing.ts';

let folder: string;
folderForEach((made) => (folder = made));

describe('KeyStore', () => {
  it('keeps a sealed key for its address alone, readable by its owner alone', () => {
    const keyStore = new KeyStore(storage('gnome_libsecret'), folder);
    keyStore.stage('https://a.example', 'cg_live_1_s');
    expect(readdirSync(folder)).toEqual([]);
    keyStore.save();
    expect(keyStore.load('https://a.example')).toBe('cg_live_1_s');
    expect(keyStore.load('https://b.example')).toBeUndefined();
    const [file] = readdirSync(folder);
    expect(readFileSync(join(folder, file!), 'latin1')).not.toContain('cg_live');
    expect(statSync(join(folder, file!)).mode & 0o077).toBe(0);
    keyStore.delete();
    expect(keyStore.load('https://a.example')).toBeUndefined();
  });

  it.each([['basic_text'], ['unknown']])('keeps nothing where the backend is %s', (backend) => {
    const keyStore = new KeyStore(storage(backend), folder);
    expect(keyStore.canSave()).toBe(false);
    keyStore.stage('https://a.example', 'k');
    expect(keyStore.isStaged()).toBe(false);
    keyStore.save();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps nothing where there is no encryption', () => {
    const keyStore = new KeyStore(storage(undefined, false), folder);
    keyStore.stage('https://a.example', 'k');
    expect(keyStore.isStaged()).toBe(false);
    keyStore.save();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has no key where the file is broken', () => {
    const keyStore = new KeyStore(storage(), folder);
    keyStore.stage('https://a.example', 'k');
    keyStore.save();
    const other = new KeyStore({ ...storage(), decryptString: () => '{' }, folder);
    expect(other.load('https://a.example')).toBeUndefined();
  });

  it('keeps nothing, and lets the sign-out go on, where the file cannot be written', () => {
    const gone = join(folder, 'gone');
    const keyStore = new KeyStore(storage(), gone);
    keyStore.stage('https://a.example', 'k');
    writeFileSync(gone, '');
    expect(() => {
      keyStore.save();
    }).not.toThrow();
    expect(keyStore.load('https://a.example')).toBeUndefined();
  });

  it('keeps nothing that was dropped, and holds nothing once it is kept', () => {
    const keyStore = new KeyStore(storage(), folder);
    keyStore.stage('https://a.example', 'k');
    keyStore.discard();
    keyStore.save();
    expect(readdirSync(folder)).toEqual([]);
    keyStore.stage('https://a.example', 'k');
    keyStore.save();
    expect(keyStore.isStaged()).toBe(false);
  });
});
