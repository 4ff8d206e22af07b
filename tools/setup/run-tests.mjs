import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installLong, main, root, run } from './install.mjs';
import { providePrograms } from './programs.mjs';
import { formatSummary } from './summary.mjs';

const checks = 'format-check,lint,typecheck';
const boolean = { type: 'boolean' };

await main(async () => {
  const name = { type: 'string', short: 't', default: '' };
  const options = { affected: boolean, long: boolean, name };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.long) {
    process.env.TIER = 'long';
    installLong();
  }
  process.env.LEFT_OUT = providePrograms().join('\n');
  if (positionals.length > 0) return runPaths(positionals, values.name);
  // Nx restores the results that are in its cache.
  for (const file of resultFiles()) rmSync(file);
  const code = await runTargets(values);
  const results = resultFiles().map((file) => JSON.parse(readFileSync(file, 'utf8')));
  console.log(formatSummary(results));
  return code;
});

function nx(...words) {
  return run('node_modules/nx/dist/bin/nx.js', [...words, '--output-style=static']);
}

async function runTargets({ affected, long }) {
  if (long) return nx('run-many', '-t', 'test,e2e', '--parallel=1');
  // `longest-first` depends on the desktop's end-to-end tests, so that Nx starts with them.
  if (!affected) return nx('run-many', '-t', `longest-first,${checks},build,test,e2e`);
  return (await nx('run-many', '-t', checks)) || nx('affected', '-t', 'test,e2e');
}

/** Runs Jest once for each configuration that the paths belong to. */
async function runPaths(paths, name) {
  const files = paths.map((path) => resolve(process.env.INIT_CWD ?? root, path));
  const filesByConfig = Map.groupBy(files, findConfig);
  const hasEndToEnd = [...filesByConfig.keys()].some((config) => config.includes('e2e'));
  const built = hasEndToEnd
    ? await nx('run-many', '-t', 'build', '-p', 'service,desktop')
    : await nx('run', 'domain:generate');
  if (built !== 0) return built;
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  let failed = 0;
  for (const [config, specs] of filesByConfig) {
    const words = ['--config', config, '-t', name, ...specs];
    failed += await run('node_modules/jest/bin/jest.js', words, { flags });
  }
  return failed;
}

function findConfig(file) {
  let folder = file;
  while (folder !== root && !existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const isEndToEnd = /^e2e\b/u.test(relative(folder, file));
  const config = join(folder, isEndToEnd ? 'jest.e2e.config.js' : 'jest.config.js');
  if (existsSync(file) && existsSync(config)) return config;
  throw new Error(`No spec file and no folder of a package: ${relative(root, file)}`);
}

function resultFiles() {
  const files = globSync('{apps,libs,libs/testing,tools}/*/{test,e2e}-results.json', { cwd: root });
  return files.map((file) => join(root, file));
}
