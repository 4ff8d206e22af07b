import { createHash } from 'node:crypto';
import { versionParts } from './update-manifest.ts';
import type { Channel, Packaging, UpdateFile, UpdateManifest } from './update-manifest.ts';

export interface DeskState {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly installed: string;
  readonly packaging: Packaging;
  readonly arch: UpdateFile['arch'];
  readonly channel: Channel;
  /** `issued` of the newest manifest accepted so far. */
  readonly newestSeen: number;
  readonly hold?: string;
  /** Random, constant: decides the place in staged releases. */
  readonly deskId: string;
  readonly isInUse: boolean;
}

export type Decision =
  | {
      readonly act: 'nothing';
      readonly why:
        | 'otherChannel'
        | 'replayed'
        | 'expired'
        | 'upToDate'
        | 'older'
        | 'held'
        | 'staged'
        | 'noFile';
    }
  /** `fetch`: installed once nobody is at the desk. */
  | { readonly act: 'fetch' | 'install'; readonly file: UpdateFile };

/** Versions that can't be parsed are never newer, nor within a hold. */
export function decideUpdate(manifest: UpdateManifest, desk: DeskState): Decision {
  const { version, channel, issued, expires, staged, files } = manifest;
  if (channel !== desk.channel) return { act: 'nothing', why: 'otherChannel' };
  if (issued < desk.newestSeen) return { act: 'nothing', why: 'replayed' };
  if (desk.now > expires) return { act: 'nothing', why: 'expired' };
  if (version === desk.installed) return { act: 'nothing', why: 'upToDate' };
  if (!isNewer(version, desk.installed)) return { act: 'nothing', why: 'older' };
  if (desk.hold !== undefined && !isAtMost(version, desk.hold)) {
    return { act: 'nothing', why: 'held' };
  }
  if (placeOf(desk.deskId, version) >= staged) return { act: 'nothing', why: 'staged' };
  const file = files.find(
    ({ packaging, arch }) => packaging === desk.packaging && arch === desk.arch,
  );
  if (file === undefined) return { act: 'nothing', why: 'noFile' };
  return { act: desk.isInUse ? 'fetch' : 'install', file };
}

/** 0 to 99, different for each version. */
function placeOf(deskId: string, version: string): number {
  const digest = createHash('sha256').update(`${version}\n${deskId}`).digest();
  return digest.readUInt32BE(0) % 100;
}

function isNewer(version: string, than: string): boolean {
  const order = compare(version, than);
  return order !== undefined && order > 0;
}

function isAtMost(version: string, limit: string): boolean {
  const order = compare(version, limit);
  return order !== undefined && order <= 0;
}

function compare(one: string, other: string): number | undefined {
  const [a, b] = [versionParts(one), versionParts(other)];
  if (a === undefined || b === undefined) return undefined;
  const differences = a.map((part, at) => part - (b[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
