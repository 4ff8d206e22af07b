import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, fields, text } from '../../bridge/schema.ts';

/** In the archive's package.json, written by tools/release and protected by a fuse. */
const pinsSchema = fields({ updateKeys: array(text(1, 200), 5) });

/** The keys of the publisher; none outside a package. */
export function pinnedKeys(appPath: string): readonly string[] {
  try {
    const found = pinsSchema(JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8')));
    return found.ok ? found.value.updateKeys.filter(isEd25519) : [];
  } catch {
    return [];
  }
}

function isEd25519(key: string): boolean {
  try {
    const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return read.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
