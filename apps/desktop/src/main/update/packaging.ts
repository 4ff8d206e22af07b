import { accessSync, constants, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Packaging } from './update-manifest.ts';

interface Computer {
  readonly platform: NodeJS.Platform;
  /** `APPIMAGE` is set by an AppImage for what it starts: the path of its own file. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly executable: string;
}

/** How this program came onto this computer. */
export function packagingOf({ platform, env, executable }: Computer): Packaging {
  if (platform === 'darwin') return 'pkg';
  if (platform !== 'win32') return env['APPIMAGE'] === undefined ? 'deb' : 'AppImage';
  // The installer for one person puts its uninstaller beside the program; Windows' own has none.
  const beside = readdirSync(dirname(executable));
  return beside.some((name) => /^Uninstall .*\.exe$/u.test(name)) ? 'nsis' : 'msi';
}

/**
 * Whether whoever works here may replace the program: an AppImage in a folder of theirs, or a Windows program installed for
 * one person. All else belongs to an administrator, whom the desk tells.
 */
export function canReplace(packaging: Packaging, { env }: Pick<Computer, 'env'>): boolean {
  if (packaging === 'nsis') return true;
  const image = env['APPIMAGE'];
  if (packaging !== 'AppImage' || image === undefined) return false;
  try {
    accessSync(image, constants.W_OK);
    accessSync(dirname(image), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
