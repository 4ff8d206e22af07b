import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { VerifierKey } from './checkpoint.ts';
import { LogRefusedError } from './errors.ts';
import { rotateKey } from './audit-log.ts';
import { SigningKey } from './signing-key.ts';
import { inFolder, members } from './testing/audit-text.testing.ts';
import { appendTo, openLog, verifyPlace } from './testing/log-place.testing.ts';

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' });
function write(file: string, content: string | Buffer = toPem(newKey()), mode = 0o600): void {
  writeFileSync(file, content);
  chmodSync(file, mode);
}

afterEach(() => {
  SigningKey.useFile(undefined);
});

const contains = (content: string | Buffer, mode?: number) => (file: string) => {
  write(file, content, mode);
};
const x25519 = toPem(generateKeyPairSync('x25519').privateKey);
const der = newKey().export({ type: 'pkcs8', format: 'der' });
/** Invalid key files, and the messages about them. */
const wrongKeys: readonly [string, (file: string) => unknown, string][] = [
  ['a folder', (file) => mkdirSync(file, { recursive: true }), 'is no file'],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), 'is no file'],
  ['a key of another type', contains(x25519), 'holds no Ed25519 key'],
  ['a key in DER', contains(der), 'holds no Ed25519 key'],
  ['an empty file', contains(''), 'holds no Ed25519 key'],
  ['a key that others can read', contains(toPem(newKey()), 0o604), 'can be read by others'],
];

describe('the signing key in the data folder', () => {
  it.each(wrongKeys)('is refused there and elsewhere where it is %s', async (_, put, message) => {
    await inFolder((folder) => {
      put(join(folder, 'audit-key.pem'));
      expect(() => new SigningKey(folder).readOrCreate()).toThrow(message);
      SigningKey.useFile(join(folder, 'audit-key.pem'));
      expect(() => new SigningKey(join(folder, 'data')).read()).toThrow(LogRefusedError);
    });
  });

  it('is refused where it is a link', async () => {
    await inFolder((folder) => {
      write(join(folder, 'elsewhere'));
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'audit-key.pem'));
      expect(() => new SigningKey(folder).read()).toThrow('is no file');
    });
  });

  it('is made once, for its owner alone, and named where it is missing from a log', async () => {
    await inFolder(async (dataDir) => {
      const signingKey = new SigningKey(dataDir);
      expect(signingKey.read()).toBeUndefined();
      await appendTo({ dataDir });
      expect(statSync(signingKey.file).mode & 0o777).toBe(0o600);
      expect(signingKey.readOrCreate().equals(signingKey.read() as KeyObject)).toBe(true);
      renameSync(signingKey.file, join(dataDir, 'moved'));
      await expect(openLog({ dataDir })).rejects.toMatchObject({ kind: 'no_key' });
      write(signingKey.file);
      await expect(openLog({ dataDir })).rejects.toMatchObject({ kind: 'wrong_key' });
      renameSync(join(dataDir, 'moved'), signingKey.file);
      await appendTo({ dataDir });
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.new'))).toEqual([]);
    });
  });
});

describe('the signing key outside the data folder', () => {
  const withKey = (use: (dataDir: string, file: string) => Promise<void>): Promise<void> =>
    inFolder((elsewhere) =>
      inFolder(async (dataDir) => {
        const file = join(elsewhere, 'key.pem');
        SigningKey.useFile(file);
        await use(dataDir, file);
      }),
    );

  it('is made by nobody, may be a link, and does not stand beside one in the folder', async () => {
    await withKey(async (dataDir, file) => {
      await expect(openLog({ dataDir })).rejects.toMatchObject({ kind: 'key_elsewhere' });
      expect(existsSync(file)).toBe(false);
      write(`${file}.real`, undefined, 0o440);
      symlinkSync(`${file}.real`, file);
      await appendTo({ dataDir });
      expect(existsSync(join(dataDir, 'audit-key.pem'))).toBe(false);
      write(join(dataDir, 'audit-key.pem'));
      await expect(openLog({ dataDir })).rejects.toThrow('exists, too');
    });
  });

  it('is replaced by the one that the operator puts beside it: a start takes either', async () => {
    await withKey(async (dataDir, file) => {
      const place = { dataDir };
      write(file);
      const { publicKey: first } = await appendTo(place);
      const next = newKey();
      write(`${file}.next`, toPem(next));
      await appendTo(place);
      const { publicKey } = await rotateKey(place, 'amara', { members });
      const { name } = VerifierKey.parse(publicKey);
      expect(publicKey).toBe(VerifierKey.fromKey(name, next).text);
      expect((await appendTo(place)).publicKey).toBe(publicKey);
      renameSync(`${file}.next`, file);
      expect((await appendTo(place)).publicKey).toBe(publicKey);
      const { publicKeys } = await verifyPlace(place);
      expect(publicKeys).toEqual([first, publicKey]);
    });
  });

  it.each<[string, (next: string, file: string) => unknown, string]>([
    ['that is missing', () => undefined, 'put the new one into'],
    [
      'that is the same again',
      (next, file) => {
        copyFileSync(file, next);
      },
      'the key that signs now',
    ],
    ...wrongKeys,
  ])('a next one %s is refused, and nothing is changed', async (_, put, message) => {
    await withKey(async (dataDir, file) => {
      write(file);
      const { publicKey, checkpoint } = await appendTo({ dataDir });
      put(`${file}.next`, file);
      await expect(rotateKey({ dataDir }, 'amara', { members })).rejects.toThrow(message);
      SigningKey.useFile(undefined);
      const verified = await verifyPlace({ dataDir });
      expect(verified).toMatchObject({ checkpoint, publicKeys: [publicKey] });
    });
  });
});
