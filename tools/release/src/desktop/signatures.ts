import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { inflateSync } from 'node:zlib';

/** Returns undefined for kinds of files without a signature. Doesn't check who signed. */
export function isSigned(file: string): boolean | undefined {
  const reader = readers[extname(file)];
  return reader?.(readFileSync(file));
}

const readers: Readonly<Partial<Record<string, (file: Buffer) => boolean>>> = {
  '.exe': isPortableExecutableSigned,
  '.msi': isInstallerDatabaseSigned,
  '.pkg': isFlatPackageSigned,
  '.dmg': isDiskImageSigned,
};

/** https://learn.microsoft.com/windows/win32/debug/pe-format: the certificate table is the fifth data directory. */
function isPortableExecutableSigned(file: Buffer): boolean {
  if (file.length < 0x40 || file.toString('latin1', 0, 2) !== 'MZ') return false;
  const header = file.readUInt32LE(0x3c);
  if (file.toString('latin1', header, header + 4) !== 'PE\0\0') return false;
  const optional = header + 24;
  const directories = optional + (file.readUInt16LE(optional) === 0x20b ? 112 : 96);
  const [address, size] = [
    file.readUInt32LE(directories + 32),
    file.readUInt32LE(directories + 36),
  ];
  return address > 0 && size > 0 && address + size <= file.length;
}

/** A compound file with this stream: https://learn.microsoft.com/windows/win32/msi/digital-signatures-and-windows-installer */
function isInstallerDatabaseSigned(file: Buffer): boolean {
  const isCompound = file.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  return isCompound && file.includes(Buffer.from('\u0005DigitalSignature', 'utf16le'));
}

/** A xar archive; its table of contents names the signature and its certificates. */
function isFlatPackageSigned(file: Buffer): boolean {
  if (file.length < 28 || file.toString('latin1', 0, 4) !== 'xar!') return false;
  const start = file.readUInt16BE(4);
  const length = Number(file.readBigUInt64BE(8));
  const contents = inflateSync(file.subarray(start, start + length)).toString();
  return /<(?:x-)?signature /u.test(contents) && contents.includes('<X509Certificate>');
}

/** The trailer of an image names the place and length of its code signature. */
function isDiskImageSigned(file: Buffer): boolean {
  const trailer = file.subarray(-512);
  if (trailer.length < 512 || trailer.toString('latin1', 0, 4) !== 'koly') return false;
  return trailer.readBigUInt64BE(296) > 0n && trailer.readBigUInt64BE(304) > 0n;
}
