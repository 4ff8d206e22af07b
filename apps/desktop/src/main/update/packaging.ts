import { accessSync, constants, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { array, fields, text } from './schema.ts';
import { readJson } from '../files/whole-file.ts';
import type { Packaging } from './update-manifest.ts';

interface Computer {
  readonly platform: NodeJS.Platform;
  /** `APPIMAGE`: the path of the AppImage that runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly executable: string;
}

export function packagingOf({ platform, env, executable }: Computer): Packaging {
  if (platform === 'darwin') return 'pkg';
  if (platform !== 'win32') return env['APPIMAGE'] === undefined ? 'deb' : 'AppImage';
  // The per-user installer puts its uninstaller beside the program.
  const beside = readdirSync(dirname(executable));
  return beside.some((name) => /^Uninstall .*\.exe$/u.test(name)) ? 'nsis' : 'msi';
}

/** Whether this account may replace the program: a writable AppImage, or a per-user Windows installation. */
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

/** In the archive's package.json, protected by a fuse; tools/release has checked that they are Ed25519 keys. */
const pinsSchema = fields({ updateKeys: array(text(1, 200), 5) });

export function pinnedKeys(appPath: string): readonly string[] {
  const found = pinsSchema(readJson(join(appPath, 'package.json')));
  return found.ok ? found.value.updateKeys : [];
}
