import { createEmptyTestResult } from '@jest/test-result';
import circusModule from 'jest-circus/runner';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Jest's runner for mutants: a mutant is done with at its first test that fails, and no spec file is loaded that has no
 * test for it. Jest can do neither when Stryker calls it, and a run would take hours. Stryker accepts a runner only
 * where its name has "jest-circus" in it.
 */
const { default: circus } = circusModule;

let mutant;
let killed = false;

export default async function run(globalConfig, config, environment, runtime, testPath, send) {
  const active = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (active !== mutant) {
    mutant = active;
    killed = false;
  }
  // Kept from the first run, without a mutant, for all processes.
  const digest = createHash('sha256').update(testPath).digest('hex').slice(0, 16);
  const kept = join(config.rootDir, `.tests-${digest}.json`);
  if (active === undefined) {
    const result = await circus(globalConfig, config, environment, runtime, testPath, send);
    writeFileSync(kept, JSON.stringify(result.testResults.map(({ fullName }) => fullName)));
    return result;
  }
  const names = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : undefined;
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
