import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { install, main, projectFolders, root, runOnPinnedNode } from './install.mjs';
import { providePostgres } from './postgres.mjs';

// Nx begins with what others wait for. Nothing but `longest-first` waits for the desktop's end-to-end tests, which take
// longest and would run alone at the end.
const targets = ['longest-first', 'format-check', 'lint', 'typecheck', 'build', 'test', 'e2e'];

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
  const { passed, failed, failures } = count();
  // Last, since whoever looks for them sees the end of a long output first.
  failures.forEach((failure) => console.log(failure));
  console.log(`${passed} passed, ${failed} failed`);
  return code === 0 && passed === 0 ? 1 : code;
});

/** Adds up what each project's Jest wrote (Nx puts the file back when the result comes from its cache), with what failed. */
function count() {
  let passed = 0;
  let failed = 0;
  const failures = [];
  for (const folder of projectFolders()) {
    for (const name of ['test-results.json', 'e2e-results.json']) {
      const file = join(root, folder, name);
      if (existsSync(file)) {
        const results = JSON.parse(readFileSync(file, 'utf8'));
        passed += results.numPassedTests;
        failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
        failures.push(...results.testResults.flatMap(failuresOf));
      }
    }
  }
  return { passed, failed, failures };
}

/** A file's failed tests, each by name with what Jest said; of a file that did not run, why it did not. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) {
    return [`\nFAILED ${file}\n${start(message)}`];
  }
  return failed.map(
    (test) => `\nFAILED ${file}: ${test.fullName}\n${start(test.failureMessages.join('\n'))}`,
  );
}

/** The first lines of a message, without the colours that Jest gives it: the whole of it stands further up. */
function start(message) {
  return stripVTControlCharacters(message).split('\n').slice(0, 30).join('\n');
}
