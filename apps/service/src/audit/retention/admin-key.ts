import { AccessStore } from '../../access/access-store.ts';
import type { ListedKey } from '../../access/keys/key-store.ts';
import type { Principal } from '../../access/principal.ts';
import { RetentionError } from './retention-error.ts';

/** Commands come from this machine: a key that is bound to networks must allow its own address. */
const HERE = '127.0.0.1';

export interface Admin {
  readonly principal: Principal;
  /** Every key there is, to see whose is whose. */
  readonly keys: readonly ListedKey[];
}

/** @throws RetentionError unless it is a live key of the role admin */
export async function adminOf(dataDir: string, presented: string): Promise<Admin> {
  const store = await AccessStore.open(dataDir);
  try {
    const principal = await store.keys.authenticate(presented, HERE);
    if (principal?.role !== 'admin') {
      throw new RetentionError('unauthorized', 'This is not a live key of the role admin.');
    }
    return { principal, keys: await store.keys.list() };
  } finally {
    await store.close();
  }
}

/** Whether two keys must be taken for one person's: the same, successors of one another, or labelled alike. */
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
