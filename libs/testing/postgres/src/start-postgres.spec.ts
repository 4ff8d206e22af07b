import { it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPostgres } from './find-postgres.ts';

const ask = (url: string, question: string): string =>
  execFileSync(findPostgres()('psql'), ['-X', '-A', '-t', '-q', url, '-c', question], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

it('ends with the process that started it, even by kill -9', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const folder = ask(line.toString().trim(), 'show data_directory');
  child.kill('SIGKILL');
  await once(child, 'exit');
  while (existsSync(folder)) {
    await sleep(20);
  }
});
