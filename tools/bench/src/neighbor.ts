/** Another key's requests, in a process of its own so that they don't delay what its parent measures. */
import { Agent } from 'node:http';
import { request, type Target } from './load.ts';

process.once('message', ({ headers, urls }: Target & { urls: readonly string[] }) => {
  const agent = new Agent({ keepAlive: true });
  const sendInTurns = async (): Promise<void> => {
    for (;;) {
      // Refused while requests of the neighbor before are still in progress.
      for (const url of urls) await request({ url, headers }, agent).catch(() => {});
    }
  };
  for (let connection = 0; connection < 16; connection += 1) void sendInTurns();
  process.send?.('sending');
});
