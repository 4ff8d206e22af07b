import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Stores interactions, codes and sessions in memory. They survive a change of the provider's keys. */
export function makeMemory(): AdapterFactory {
  const payloads = new Map<string, AdapterPayload>();
  return (model) => {
    const key = (id: string): string => `${model}:${id}`;
    const findBy = (wanted: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...payloads].find(([id, payload]) => id.startsWith(`${model}:`) && wanted(payload))?.[1];
    return {
      find: (id) => Promise.resolve(payloads.get(key(id))),
      findByUid: (uid) => Promise.resolve(findBy((payload) => payload.uid === uid)),
      findByUserCode: (code) => Promise.resolve(findBy((payload) => payload.userCode === code)),
      upsert: (id, payload) => {
        payloads.set(key(id), payload);
        return Promise.resolve(undefined);
      },
      consume: (id) => {
        const payload = payloads.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
        return Promise.resolve(undefined);
      },
      destroy: (id) => {
        payloads.delete(key(id));
        return Promise.resolve(undefined);
      },
      revokeByGrantId: (grantId) => {
        for (const [id, payload] of payloads) if (payload.grantId === grantId) payloads.delete(id);
        return Promise.resolve(undefined);
      },
    };
  };
}
