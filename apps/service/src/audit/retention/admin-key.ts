import { AccessStore } from '../../access/access-store.ts';
import type { ListedKey } from '../../access/keys/key-store.ts';
import type { Principal } from '../../access/principal.ts';
import { RetentionError } from './retention-error.ts';

/** Commands run on this machine: a key restricted to networks must allow loopback. */
const HERE = '127.0.0.1';

export interface Admin {
  readonly principal: Principal;
  /** All keys, to find keys of the same person. */
  readonly keys: readonly ListedKey[];
}

/** @throws RetentionError unless it is a live key of the role admin */
export async function adminOf(dataDir: string, presented: string): Promise<Admin> {
  const store = await AccessStore.open(dataDir);
  try {
    const principal = await store.keys.authenticate(presented, HERE);
    if (principal?.role !== 'admin') {
      throw new RetentionError('unauthorized', 'Not a valid key of the role admin.');
    }
    return { principal, keys: await store.keys.list() };
  } finally {
    await store.close();
  }
}

/** Whether two keys count as one person: the same key, replacements of each other, or the same label. */
export function isSamePerson(keys: readonly ListedKey[], one: string, other: string): boolean {
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  const firstOf = (keyId: string): string => {
    let at = keyId;
    for (
      let before = byId.get(at)?.replaces;
      before !== undefined;
      before = byId.get(at)?.replaces
    ) {
      at = before;
    }
    return at;
  };
  const labelOf = (keyId: string): string | undefined =>
    byId.get(keyId)?.label.trim().toLowerCase();
  return firstOf(one) === firstOf(other) || labelOf(one) === labelOf(other);
}
