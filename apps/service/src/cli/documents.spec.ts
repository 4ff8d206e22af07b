import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { buildProgram } from './program.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: root, encoding: 'utf8' },
);
const documents = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));

/** Returns the commands in code blocks and inline code, each up to a pipe or a redirection. */
function commandsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(/^ *```(?:sh|ini)\n(.*?)```/gmsu)].flatMap(([, code = '']) =>
    code.split('\n'),
  );
  const inline = [...text.replaceAll(/```.*?```/gsu, '').matchAll(/`([^`]+)`/gu)].map(
    ([, code = '']) => code.replaceAll(/\s+/gu, ' '),
  );
  return [...blocks, ...inline].flatMap((line) =>
    [...line.matchAll(/(?:^ *|(?:sudo|npx) |\/bin\/)caregate ([a-z][^|<>&()#]*)/gu)].map(
      ([, words = '']) => words.trim(),
    ),
  );
}

/** Returns the first command or option in a line that doesn't exist, or undefined. */
async function findUnknown(line: string): Promise<string | undefined> {
  const words = line.split(/[\s,;]+/u);
  let command: Command = await buildProgram(words);
  const flags = new Set(['--help', '--json']);
  for (let at = 0; ; at += 1) {
    for (const { long } of command.options) flags.add(long ?? '');
    const next = command.commands.find((each) => each.name() === words[at]);
    if (next !== undefined) {
      command = next;
      continue;
    }
    const word = words[at];
    const isOperand = word === undefined || command.registeredArguments.length > 0;
    if (!isOperand && !word.startsWith('-')) return word;
    return words.slice(at).find((each) => /^--[a-z]/u.test(each) && !flags.has(each));
  }
}

describe('the documents', () => {
  it.each(documents)(
    '%s names no command or option of caregate that does not exist',
    async (file) => {
      const unknown: string[] = [];
      for (const line of commandsIn(file)) {
        const word = await findUnknown(line);
        if (word !== undefined) unknown.push(`caregate ${line}: ${word}`);
      }
      expect(unknown).toEqual([]);
    },
  );
});
