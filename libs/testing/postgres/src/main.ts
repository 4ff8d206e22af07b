import { once } from 'node:events';
import { startPostgres } from './start-postgres.ts';

try {
  const server = await startPostgres();
  console.log(server.url);
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  // Signal handlers don't keep a process alive, so a timer does.
  const alive = setInterval(() => undefined, 60_000);
  await ended;
  clearInterval(alive);
  await server.stop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
