import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

/** What the provider keeps (sign-ins under way, codes, sessions), in memory and apart from any one set of keys. */
export function makeMemory(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>();
  return (model) => {
    const key = (id: string): string => `${model}:${id}`;
    const findBy = (wanted: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...kept].find(([id, payload]) => id.startsWith(`${model}:`) && wanted(payload))?.[1];
    return {
      find: (id) => Promise.resolve(kept.get(key(id))),
      findByUid: (uid) => Promise.resolve(findBy((payload) => payload.uid === uid)),
      findByUserCode: (code) => Promise.resolve(findBy((payload) => payload.userCode === code)),
      upsert: (id, payload) => {
        kept.set(key(id), payload);
        return Promise.resolve(undefined);
      },
      consume: (id) => {
        const payload = kept.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
        return Promise.resolve(undefined);
      },
      destroy: (id) => {
        kept.delete(key(id));
        return Promise.resolve(undefined);
      },
      revokeByGrantId: (grantId) => {
        for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id);
        return Promise.resolve(undefined);
      },
    };
  };
}
