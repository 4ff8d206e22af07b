import { createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { array, integer, object, oneOf, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

const PACKAGINGS = ['deb', 'AppImage', 'nsis', 'msi', 'dmg', 'pkg'] as const;
export type Packaging = (typeof PACKAGINGS)[number];

const fileSchema = object({
  packaging: oneOf(PACKAGINGS),
  arch: oneOf(['x64', 'arm64']),
  name: text(1, 200),
  size: integer(1, 2_000_000_000),
  sha256: text(64, 64),
});
export type UpdateFile = TypeOf<typeof fileSchema>;

/** `early` gets releases first. */
export const CHANNELS = ['stable', 'early'] as const;
export type Channel = (typeof CHANNELS)[number];

const manifestSchema = object({
  product: oneOf(['caregate-desktop']),
  channel: oneOf(CHANNELS),
  version: text(5, 40),
  /** Milliseconds since 1970. An expired manifest is ignored, so that old ones can't hold desks back. */
  issued: integer(0, Number.MAX_SAFE_INTEGER),
  expires: integer(0, Number.MAX_SAFE_INTEGER),
  staged: integer(0, 100),
  files: array(fileSchema, 50),
});
export type UpdateManifest = TypeOf<typeof manifestSchema>;

const signedSchema = object({ manifest: text(2, 100_000), signature: text(88, 88) });

export function manifestName(channel: Channel): string {
  return channel === 'stable' ? 'desktop-updates.json' : `desktop-updates-${channel}.json`;
}

/** Prefix of signed data, so that no other signature fits. */
const label = 'caregate desktop update manifest v1\n';

export function signManifest(manifest: UpdateManifest, releaseKey: KeyObject): string {
  const written = JSON.stringify(manifest);
  const signature = sign(null, Buffer.from(label + written), releaseKey).toString('base64');
  return `${JSON.stringify({ manifest: written, signature }, undefined, 2)}\n`;
}

/** Undefined unless one of these keys (SPKI in DER, base64) signed it. Never throws. */
export function openManifest(file: string, pinned: readonly string[]): UpdateManifest | undefined {
  const found = signedSchema(parsed(file));
  if (!found.ok) return undefined;
  const { manifest, signature } = found.value;
  const bytes = Buffer.from(signature, 'base64');
  // Canonical base64 only.
  if (bytes.toString('base64') !== signature) return undefined;
  const data = Buffer.from(label + manifest);
  const isOurs = pinned.some((key) =>
    verify(
      null,
      data,
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
      bytes,
    ),
  );
  const read = isOurs ? manifestSchema(parsed(manifest)) : undefined;
  if (read?.ok !== true || versionParts(read.value.version) === undefined) return undefined;
  return read.value.files.every(({ name }) => plainName.test(name)) ? read.value : undefined;
}

/** No path separators, no dot files. */
const plainName = /^[A-Za-z\d][\w.~-]*$/u;

/** @throws Error for any other name */
export function factsOf(name: string): {
  readonly version: string;
  readonly packaging: Packaging;
  readonly arch: UpdateFile['arch'];
} {
  const found =
    /^caregate-desktop_(?<version>\d+\.\d+\.\d+)_(?:(?:linux|win|mac)_)?(?<arch>x64|x86_64|amd64|arm64)\.(?<end>\w+)$/u.exec(
      name,
    )?.groups;
  const end = found?.['end'] === 'exe' ? 'nsis' : found?.['end'];
  const packaging = PACKAGINGS.find((one) => one === end);
  const version = found?.['version'];
  if (version === undefined || packaging === undefined) {
    throw new Error(`${name} isn't named as a released package.`);
  }
  return { version, packaging, arch: found?.['arch'] === 'arm64' ? 'arm64' : 'x64' };
}

export function versionParts(version: string): readonly number[] | undefined {
  const parts = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/u.exec(version);
  return parts?.slice(1).map(Number);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
