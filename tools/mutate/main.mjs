import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installLong, long } from '../setup/install.mjs';
import rooms from './rooms.mjs';

/** `npm run mutate -- ROOM` runs Stryker in the room's project. Exits with 1 if too many mutants survive. */
const [room, ...more] = process.argv.slice(2);
if (!Object.hasOwn(rooms, room ?? '')) {
  console.error(`npm run mutate -- ROOM, which is ${Object.keys(rooms).join(' or ')}`);
  process.exit(2);
}
installLong();
const program = join(long, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const config = join(import.meta.dirname, 'stryker.config.mjs');
const { status } = spawnSync(process.execPath, [program, 'run', config, ...more], {
  cwd: join(import.meta.dirname, '../..', rooms[room].project),
  stdio: 'inherit',
  env: { ...process.env, MUTATE: room },
});
process.exitCode = status ?? 1;
