import { beforeAll, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labMessage } from '@caregate/hl7v2/testing';
import { caregateIn, commandFolder } from './caregate.testing.ts';
import { fillDemo } from './demo-data.ts';

const now = performance.now.bind(performance);
const at = commandFolder('spec');

beforeAll(() => {
  const lines = Array.from(sampleEnvelopes({ users: 20 }), (each) => JSON.stringify(each));
  writeFileSync(join(at.folder, 'people.ndjson'), lines.join('\n'));
  writeFileSync(join(at.folder, 'messages'), labMessage({ controlId: '1' }));
});

/** Runs a command with a terminal and a clock by which each look takes three seconds. @returns the steps that it showed */
async function stepsOf(words: string): Promise<string[]> {
  let looks = 0;
  performance.now = () => {
    looks += new Error().stack?.includes('progress-line.ts') === true ? 1 : 0;
    return now() + 3000 * looks;
  };
  const arguments_ = words.replaceAll('AT', at.folder).split(' ');
  const ended = await caregateIn({ CAREGATE_DATA: at.data }, arguments_, { isTTY: true }).finally(
    () => {
      performance.now = now;
    },
  );
  expect([words, ended.code, ended.err]).toEqual([
    words,
    0,
    expect.stringMatching(/\r\u001B\[K$/u),
  ]);
  const found = [...ended.err.matchAll(/\r([^\r\u001B]+) {2}([\d,]+) of ([\d,]+)/gu)];
  for (const [, , done, total] of found) {
    const [part, whole] = [done, total].map((text) => Number(text?.replaceAll(',', '')));
    expect(part).toBeLessThanOrEqual(whole ?? -1);
  }
  return [...new Set(found.map(([, what]) => what ?? ''))];
}

it('a command that takes longer than two seconds shows how far it is', async () => {
  for (const [words, steps] of [
    ['import AT/people.ndjson', ['people.ndjson, bytes']],
    [
      `import AT/messages --format hl7v2 --team ${sampleTeamId} --authority CLINIC`,
      ['messages, bytes'],
    ],
    ['backup AT/copy', ['bytes copied and checked']],
    ['restore AT/copy --data AT/restored', ['bytes of the backup', 'records verified']],
    ['audit verify', ['records']],
    ['audit export --out AT/log.ndjson', ['records']],
    ['audit events --operation importFinished', ['records']],
    ['access break-glass list', ['records']],
    ['person erase list', ['records']],
  ] as const) {
    expect([words, await stepsOf(words)]).toEqual([words, steps]);
  }
});

it('a demo tells how many people it has made', async () => {
  const people: number[] = [];
  await fillDemo(join(at.folder, 'demo'), 9, (done) => people.push(done));
  expect(people).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('a command shows nothing without a terminal', async () => {
  expect(await at.caregate('audit', 'verify')).toMatchObject({ code: 0, err: '' });
});
