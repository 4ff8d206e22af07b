/**
 * Runs the provider for the demo and for development until it gets a signal. Options: `--port`, `--ready-file` (a
 * JSON file with its address, written once it listens), `--plain-http`.
 */
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startIdentityProvider } from './start-identity-provider.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'ready-file': { type: 'string' },
    'plain-http': { type: 'boolean', default: false },
  },
});

try {
  const provider = await startIdentityProvider({
    port: Number(values.port),
    plainHttp: values['plain-http'],
  });
  const { issuer, clientId, people } = provider;
  const ready = { issuer, client_id: clientId, people };
  const file = values['ready-file'];
  if (file === undefined) console.log(JSON.stringify(ready, undefined, 2));
  else {
    writeFileSync(`${file}.new`, JSON.stringify(ready));
    renameSync(`${file}.new`, file);
  }
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  await provider.stop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
