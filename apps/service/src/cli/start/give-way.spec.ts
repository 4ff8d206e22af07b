import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const onLinux = process.platform === 'linux' ? it : it.skip;
const idle = '5';

onLinux('a program that gives way is scheduled as idle, with each of its threads', () => {
  const program = `
    const { giveWay } = await import(process.argv[1]);
    const { readdirSync, readFileSync } = await import('node:fs');
    giveWay();
    const policies = readdirSync('/proc/self/task').map(
      (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'latin1').split(' ')[40],
    );
    console.log(JSON.stringify(policies));`;
  const file = fileURLToPath(new URL('give-way.ts', import.meta.url));
  const words = ['--input-type=module', '--eval', program, file];
  const policies = JSON.parse(
    execFileSync(process.execPath, words, { encoding: 'utf8' }),
  ) as string[];
  expect(policies.length).toBeGreaterThan(3);
  expect(new Set(policies)).toEqual(new Set([idle]));
});
