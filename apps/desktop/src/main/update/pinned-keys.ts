import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { array, fields, text } from '../../bridge/schema.ts';
import { readJson } from '../files/whole-file.ts';

/** In the archive's package.json, written by tools/release and protected by a fuse. */
const pinsSchema = fields({ updateKeys: array(text(1, 200), 5) });

/** The keys of the publisher; none outside a package. */
export function pinnedKeys(appPath: string): readonly string[] {
  const found = pinsSchema(readJson(join(appPath, 'package.json')));
  return found.ok ? found.value.updateKeys.filter(isEd25519) : [];
}

function isEd25519(key: string): boolean {
  try {
    const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return read.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
