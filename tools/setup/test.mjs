import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, main, projectFolders, root, runOnPinnedNode } from './install.mjs';
import { providePostgres } from './postgres.mjs';

const targets = ['format-check', 'lint', 'typecheck', 'build', 'test', 'e2e'];

await main(async () => {
  await install();
  providePostgres();
  const code = await runOnPinnedNode('node_modules/nx/dist/bin/nx.js', [
    'run-many',
    '-t',
    targets.join(','),
    '--output-style=static',
    ...process.argv.slice(2),
  ]);
  const { passed, failed } = count();
  console.log(`${passed} passed, ${failed} failed`);
  return code === 0 && passed === 0 ? 1 : code;
});

/** Adds up what each project's Jest wrote (Nx puts the file back when the result comes from its cache). */
function count() {
  let passed = 0;
  let failed = 0;
  for (const folder of projectFolders()) {
    for (const name of ['test-results.json', 'e2e-results.json']) {
      const file = join(root, folder, name);
      if (existsSync(file)) {
        const results = JSON.parse(readFileSync(file, 'utf8'));
        passed += results.numPassedTests;
        failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
      }
    }
  }
  return { passed, failed };
}
