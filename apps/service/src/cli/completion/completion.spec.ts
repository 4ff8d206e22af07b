import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { program } from '../program.ts';
import { commandTree } from './completion.command.ts';
import { completionScript, type Completed, type Shell } from './completion-scripts.ts';

let tree: readonly Completed[];

beforeAll(async () => {
  tree = commandTree(await program('all'));
});

const has = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** What bash offers behind each of these lines of words, the last of which is begun. */
function offeredByBash(...lines: (readonly string[])[]): string[][] {
  const requested = lines.map((words) => {
    const line = ['caregate', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; COMPREPLY=(); _caregate; printf '%s\\n' "\${COMPREPLY[@]}"; echo =`;
  });
  const script = [completionScript('bash', tree), ...requested].join('\n');
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    .split('=\n')
    .slice(0, -1)
    .map((offered) => offered.split('\n').filter(Boolean));
}

function offeredByFish(line: string): string[] {
  const script = `${completionScript('fish', tree)}\ncomplete -C '${line}'`;
  const printed = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
  return printed.split('\n').flatMap((each) => each.split('\t')[0] || []);
}

describe('the tree of commands', () => {
  it('has every command, and the values that an option may have', () => {
    const paths = tree.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['', 'keys create', 'audit hold add', 'completion']),
    );
    const create = tree.find(({ path }) => path === 'keys create');
    expect(create?.options).toContainEqual(
      expect.objectContaining({ word: '--role', choices: expect.arrayContaining(['clinician']) }),
    );
  });
});

describe('in bash', () => {
  it('each command offers its commands and options, and those that begin alike', () => {
    const offered = offeredByBash(
      ...tree.map(({ path }) => [...path.split(' ').filter(Boolean), '']),
      ['keys', 'cr'],
      ['keys', '--data', 'keys', 'create', '--la'],
    );
    const all = tree.map(({ commands, options }) =>
      [...commands, ...options].map(({ word }) => word),
    );
    expect(offered).toEqual([...all, ['create'], ['--label']]);
  });

  it('an option offers its values, and leaves files to the shell', () => {
    const [role, data] = [
      ['keys', 'create', '--role', 'cl'],
      ['keys', 'create', '--data', ''],
    ];
    expect(offeredByBash(role, data)).toEqual([['clinician'], []]);
  });
});

(has('zsh') ? it : it.skip)('is taken by zsh', () => {
  const script = `compdef() { print "$1 $2" }\n${completionScript('zsh', tree)}`;
  const printed = execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
  expect(printed).toBe('_caregate caregate\n');
});

(has('fish') ? it : it.skip)('fish offers the same', () => {
  for (const { path, commands } of tree.filter((each) => each.commands.length > 0)) {
    const words = commands.map(({ word }) => word).sort();
    expect([path, offeredByFish(`caregate ${path} `.replace('  ', ' ')).sort()]).toEqual([
      path,
      words,
    ]);
  }
  expect(offeredByFish('caregate keys create --la')).toEqual(['--label']);
  expect(offeredByFish('caregate keys create --role cl')).toEqual(['clinician']);
});
