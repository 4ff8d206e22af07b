import type { AtDesk } from './bench-desk.ts';

interface Refused {
  /** From the command's end to the last instance's first refusal; 0 where all had refused before. */
  readonly ms: number;
  /** Reads that were asked after the command's end and answered all the same. */
  readonly readsAfter: number;
}

/** Reads at every instance without a pause, has somebody put out, and goes on until each instance refuses. */
export async function untilRefused(
  urls: readonly string[],
  { path, person }: { readonly path: string; readonly person: AtDesk },
  putOut: () => Promise<unknown>,
): Promise<Refused> {
  const once = async (url: string): Promise<number> => {
    const answer = await fetch(url, { headers: person.headers('GET', url) });
    await answer.text();
    return answer.status;
  };
  const all = urls.map((baseUrl) => baseUrl + path);
  for (const url of all) {
    const status = await once(url);
    if (status !== 200) {
      throw new Error(`the service answered ${status} to a read`);
    }
  }
  let doneAt = Infinity;
  let readsAfter = 0;
  const reading = all.map(async (url) => {
    for (;;) {
      const askedAt = performance.now();
      const status = await once(url);
      if (status === 401) {
        return performance.now();
      }
      readsAfter += askedAt > doneAt ? 1 : 0;
    }
  });
  await putOut();
  doneAt = performance.now();
  const refusedAt = await Promise.all(reading);
  return { ms: Math.max(0, Math.max(...refusedAt) - doneAt), readsAfter };
}
