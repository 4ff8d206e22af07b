import { createEmptyTestResult } from '@jest/test-result';
import circusModule from 'jest-circus/runner';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Ends a mutant at its first failing test, and skips spec files without a test for it. Otherwise, a run takes hours.
// Stryker accepts only runners with "jest-circus" in their name.
const { default: circus } = circusModule;

let mutant;
let killed = false;

export default async function run(globalConfig, config, environment, runtime, testPath, send) {
  const active = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (active !== mutant) {
    mutant = active;
    killed = false;
  }
  // The first run, without a mutant, writes this for all processes.
  const digest = createHash('sha256').update(testPath).digest('hex').slice(0, 16);
  const namesFile = join(config.rootDir, `.tests-${digest}.json`);
  if (active === undefined) {
    const result = await circus(globalConfig, config, environment, runtime, testPath, send);
    writeFileSync(namesFile, JSON.stringify(result.testResults.map(({ fullName }) => fullName)));
    return result;
  }
  const names = existsSync(namesFile) ? JSON.parse(readFileSync(namesFile, 'utf8')) : undefined;
  const wanted = new RegExp(globalConfig.testNamePattern ?? '', 'i');
  if (names !== undefined && (killed || !names.some((name) => wanted.test(name)))) {
    return noneRun(testPath, names);
  }
  const handle = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    await handle?.(event, state);
    if (event.name === 'test_start' && killed) {
      event.test.mode = 'skip';
    } else if (event.name === 'test_done' && event.test.errors.length > 0) {
      killed = true;
    }
  };
  const result = await circus(globalConfig, config, environment, runtime, testPath, send);
  killed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
  return result;
}

function noneRun(testPath, names) {
  return {
    ...createEmptyTestResult(),
    testFilePath: testPath,
    numPendingTests: names.length,
    testResults: names.map((fullName) => ({
      ancestorTitles: [],
      failureDetails: [],
      failureMessages: [],
      fullName,
      numPassingAsserts: 0,
      status: 'pending',
      title: fullName,
    })),
  };
}
