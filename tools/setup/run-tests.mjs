import { existsSync, globSync, statSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { affectedRuns, ownRuns } from './affected.mjs';
import { main, nx, root, runJest } from './install.mjs';
import { providePrograms } from './programs.mjs';
import { report } from './report.mjs';

// Nx starts with tasks that others depend on: `longest-first` depends on the desktop's end-to-end tests, which take longest.
const targets = ['longest-first', 'format-check', 'lint', 'typecheck', 'build', 'test', 'e2e'];
const usage = `npm test                    everything
npm test -- --affected      what the change since main touches
npm test -- PATH …          these spec files, or those in these folders`;

await main(async () => {
  const { values, positionals } = parse();
  if (values.help) {
    console.log(usage);
    return 0;
  }
  requireRoom();
  process.env.LEFT_OUT = providePrograms().join('\n');
  if (positionals.length > 0) return inTurn(ownRuns(positionals));
  if (values.affected) {
    const checked = await nx('run-many', '-t', 'format-check,lint,typecheck');
    return checked || (await inTurn(affectedRuns()));
  }
  process.env.TEST_RUN = String(Date.now());
  const code = await nx('run-many', '-t', targets.join(','));
  return report() || code;
});

function parse() {
  try {
    return parseArgs({
      options: { affected: { type: 'boolean' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`, { cause: error });
  }
}

/** A full disk fails tests with misleading messages. */
function requireRoom() {
  const { bavail, bsize } = statfsSync(tmpdir());
  const [free, needed] = [Math.round((bavail * bsize) / 1e6), 2000];
  if (free < needed) {
    throw new Error(
      `${tmpdir()} has ${free} MB left; the tests need ${needed}. TMPDIR names another folder.`,
    );
  }
}

async function inTurn(runs) {
  if (runs.some(({ needsBuild }) => needsBuild)) {
    const code = await nx('run-many', '-t', 'build', '-p', 'service,desktop');
    if (code !== 0) return code;
  } else if (isStale()) {
    const code = await nx('run', 'domain:generate');
    if (code !== 0) return code;
  }
  let first = 0;
  for (const { config, arguments_ } of runs) {
    const code = await runJest([`--config=${config}`, ...arguments_]);
    first ||= code;
  }
  return first;
}

function isStale() {
  const made = join(root, 'libs/domain/src/generated/validators.ts');
  if (!existsSync(made)) return true;
  const since = statSync(made).mtimeMs;
  const sources = globSync('libs/domain/{src,generate}/**/*.ts', { cwd: root });
  return sources.some(
    (file) => !file.includes('generated') && statSync(join(root, file)).mtimeMs > since,
  );
}
