import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { isSigned } from './signatures.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-signed-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function verdict(name: string, content: Buffer): boolean | undefined {
  const file = join(folder, name);
  writeFileSync(file, content);
  return isSigned(file);
}

function executable(signature: number, magic = 0x20b): Buffer {
  const file = Buffer.alloc(1024);
  file.write('MZ');
  file.writeUInt32LE(0x80, 0x3c);
  file.write('PE\0\0', 0x80);
  file.writeUInt16LE(magic, 0x80 + 24);
  const directories = 0x80 + 24 + (magic === 0x20b ? 112 : 96);
  file.writeUInt32LE(signature === 0 ? 0 : 900, directories + 32);
  file.writeUInt32LE(signature, directories + 36);
  return file;
}

function flatPackage(contents: string): Buffer {
  const packed = deflateSync(contents);
  const header = Buffer.alloc(28);
  header.write('xar!');
  header.writeUInt16BE(28, 4);
  header.writeBigUInt64BE(BigInt(packed.length), 8);
  return Buffer.concat([header, packed]);
}

function diskImage(length: bigint): Buffer {
  const file = Buffer.alloc(2048);
  file.write('koly', 1536);
  file.writeBigUInt64BE(length === 0n ? 0n : 1000n, 1536 + 296);
  file.writeBigUInt64BE(length, 1536 + 304);
  return file;
}

describe('a signature', () => {
  it('of a Windows program is its certificate table, within the file', () => {
    for (const magic of [0x10b, 0x20b]) {
      expect(verdict('a.exe', executable(100, magic))).toBe(true);
      expect(verdict('a.exe', executable(0, magic))).toBe(false);
      expect(verdict('a.exe', executable(2000, magic))).toBe(false);
    }
  });

  it('of a Windows installer is a stream of its own', () => {
    const start = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    const stream = Buffer.from('\u0005DigitalSignature', 'utf16le');
    expect(verdict('a.msi', Buffer.concat([start, stream]))).toBe(true);
    expect(verdict('a.msi', start)).toBe(false);
    expect(verdict('a.msi', stream)).toBe(false);
  });

  it('of a macOS package is in its table of contents, with its certificate', () => {
    const signature = '<signature style="RSA"><X509Certificate>AA==</X509Certificate></signature>';
    expect(verdict('a.pkg', flatPackage(`<xar><toc>${signature}</toc></xar>`))).toBe(true);
    expect(verdict('a.pkg', flatPackage('<xar><toc><file>signature </file></toc></xar>'))).toBe(
      false,
    );
  });

  it('of a disk image is named by its trailer', () => {
    expect(verdict('a.dmg', diskImage(500n))).toBe(true);
    expect(verdict('a.dmg', diskImage(0n))).toBe(false);
  });

  it('is missing from an empty file, and not asked of what has none', () => {
    for (const name of ['a.exe', 'a.msi', 'a.pkg', 'a.dmg']) {
      expect(verdict(name, Buffer.alloc(0))).toBe(false);
    }
    expect(verdict('a.deb', Buffer.alloc(0))).toBeUndefined();
    expect(verdict('a.AppImage', Buffer.alloc(0))).toBeUndefined();
  });
});
