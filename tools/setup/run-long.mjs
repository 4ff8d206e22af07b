import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ownRuns } from './affected.mjs';
import { installLong, main, nx, projectFolders, root, runJest } from './install.mjs';
import { providePrograms } from './programs.mjs';

const usage = `npm run test:long                  each part that has not passed at this commit, one after another
npm run test:long -- PART …        these parts: their paths, or the beginnings of these
npm run test:long -- --list        the parts
SEED=1a2b3c4d before it repeats what was drawn by chance.`;
const figures = join(root, 'reports/long.json');

/** One spec file at a time; results are written after each, so that a stopped run continues where it was. */
await main(async () => {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const all = parts();
  const wanted = all.filter(
    (part) => positionals.length === 0 || positionals.some((prefix) => part.startsWith(prefix)),
  );
  if (values.help) console.log(usage);
  if (values.list) console.log(all.join('\n'));
  if (values.help || values.list) return 0;
  if (wanted.length === 0)
    throw new Error(`No part begins with ${positionals.join(' or ')}.\n${usage}`);
  process.env.TIER = 'long';
  installLong();
  process.env.LEFT_OUT = providePrograms().join('\n');
  const built = await nx('run-many', '-t', 'build', '-p', 'service,desktop');
  if (built !== 0) return built;
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const commit =
    git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  const known = existsSync(figures) ? JSON.parse(readFileSync(figures, 'utf8')) : {};
  mkdirSync(join(root, 'reports'), { recursive: true });
  for (const part of wanted) {
    const before = known[part];
    if (positionals.length === 0 && before?.commit === commit && before.failed === 0) continue;
    console.log(`\n${part}`);
    known[part] = { commit, ...(await runPart(part)) };
    writeFileSync(figures, `${JSON.stringify(known, undefined, 2)}\n`);
  }
  const sum = (of) => wanted.reduce((total, part) => total + (known[part][of] ?? 0), 0);
  console.log(
    `\nFigures of each part: ${figures}\n${sum('passed')} passed, ${sum('failed')} failed`,
  );
  return sum('failed') === 0 ? 0 : 1;
});

function parts() {
  return projectFolders()
    .flatMap((folder) => globSync(`${folder}/{src,e2e,build}/**/*.long.spec.ts`, { cwd: root }))
    .toSorted();
}

async function runPart(part) {
  const [{ config, arguments_ }] = ownRuns([join(root, part)]);
  const results = join(root, 'reports/part.json');
  rmSync(results, { force: true });
  const began = performance.now();
  await runJest([`--config=${config}`, '--json', `--outputFile=${results}`, ...arguments_]);
  const wallSeconds = Math.round((performance.now() - began) / 100) / 10;
  if (!existsSync(results)) return { passed: 0, failed: 1, wallSeconds };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  return {
    seed: process.env.SEED ?? 'of the commit',
    passed: numPassedTests,
    failed: numFailedTests + numRuntimeErrorTestSuites,
    wallSeconds,
  };
}
