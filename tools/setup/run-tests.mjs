import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { installLong, main, nx, projectFolders, root, runJest } from './install.mjs';
import { providePrograms } from './programs.mjs';

const usage = `npm test                          everything but the long tier
npm test -- PATH …                these spec files, or those in these folders
npm test -- --affected            the projects that changed since main, and those that depend on them
npm run test:long [-- PATH …]     the long tier: *.long.spec.ts`;
const checks = 'format-check,lint,typecheck';

await main(async () => {
  const { values, positionals } = parse();
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.long) {
    process.env.TIER = 'long';
    installLong();
  }
  process.env.LEFT_OUT = providePrograms().join('\n');
  if (positionals.length > 0) return runPaths(positionals);
  // Nx restores the results that are in its cache.
  for (const file of resultFiles()) rmSync(file);
  const code = await runTargets(values);
  return printTotal() || code;
});

function parse() {
  const boolean = { type: 'boolean' };
  try {
    const options = { affected: boolean, long: boolean, help: boolean };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`, { cause: error });
  }
}

async function runTargets({ affected, long }) {
  if (long) return nx('run-many', '-t', 'test,e2e', '--parallel=1');
  // `longest-first` depends on the desktop's end-to-end tests, so that Nx starts with them.
  if (!affected) return nx('run-many', '-t', `longest-first,${checks},build,test,e2e`);
  return (await nx('run-many', '-t', checks)) || nx('affected', '-t', 'test,e2e');
}

/** Runs Jest once for each configuration that the paths belong to. */
async function runPaths(paths) {
  const filesByConfig = Map.groupBy(paths.map(requireSpecPath), configFor);
  const hasEndToEnd = [...filesByConfig.keys()].some((config) => config.includes('e2e'));
  const built = hasEndToEnd
    ? await nx('run-many', '-t', 'build', '-p', 'service,desktop')
    : await nx('run', 'domain:generate');
  if (built !== 0) return built;
  let failed = 0;
  for (const [config, files] of filesByConfig) {
    failed += await runJest([`--config=${config}`, ...files]);
  }
  return failed;
}

function requireSpecPath(path) {
  const file = resolve(process.env.INIT_CWD ?? root, path);
  if (!existsSync(file) || projectOf(file) === undefined) {
    throw new Error(`No spec file and no folder of a package: ${path}`);
  }
  return file;
}

function configFor(file) {
  const project = projectOf(file);
  return `${project}/jest${file.startsWith(join(root, project, 'e2e')) ? '.e2e' : ''}.config.js`;
}

function projectOf(file) {
  return projectFolders().find((folder) => `${relative(root, file)}/`.startsWith(`${folder}/`));
}

function resultFiles() {
  return projectFolders().flatMap((folder) =>
    globSync('{test,e2e}-results.json', { cwd: join(root, folder) }).map((file) =>
      join(root, folder, file),
    ),
  );
}

/** Returns the first lines of a failure, which have the expectation and its place. */
function beginning(message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 20);
  return lines.map((line) => `    ${line}`).join('\n');
}

/** Prints the failures, and last the totals, which CI reads. @returns the exit code */
function printTotal() {
  const results = resultFiles().map((file) => JSON.parse(readFileSync(file, 'utf8')));
  for (const { name, message, assertionResults } of results
    .flatMap((each) => each.testResults)
    .filter(({ status }) => status === 'failed')) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    console.log(`\nFAILED ${relative(root, name)}`);
    if (failed.length === 0) console.log(beginning(message));
    for (const { fullName, failureMessages } of failed) {
      console.log(`  ${fullName}\n${beginning(failureMessages.join('\n'))}`);
    }
  }
  const sum = (count) => results.reduce((total, each) => total + each[count], 0);
  const failed = sum('numFailedTests') + sum('numRuntimeErrorTestSuites');
  const skipped = sum('numPendingTests');
  console.log(
    `${sum('numPassedTests')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  return failed > 0 ? 1 : 0;
}
