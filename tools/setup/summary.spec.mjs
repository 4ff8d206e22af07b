import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { root } from './install.mjs';
import { formatSummary } from './summary.mjs';

const passed = { status: 'passed', fullName: 'adds', failureMessages: [] };

function resultFile({ failed = 0, pending = 0, errors = 0 }, ...testResults) {
  return {
    ...{ numPassedTests: 2, numFailedTests: failed, numPendingTests: pending },
    ...{ numRuntimeErrorTestSuites: errors, testResults },
  };
}

it('counts the tests of all result files, and names the skipped ones only if there are any', () => {
  const file = { status: 'passed', name: 'a.spec.ts', message: '', assertionResults: [passed] };
  expect(formatSummary([resultFile({}, file), resultFile({}, file)])).toBe('4 passed, 0 failed');
  expect(formatSummary([resultFile({ pending: 3 }, file)])).toBe('2 passed, 0 failed, 3 skipped');
});

it('names each failed test with the first lines of its failure, and a file that does not load', () => {
  const numbers = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const message = `\u001B[31mexpected 1\u001B[39m\n${numbers.join('\n')}`;
  const assertionResults = [
    passed,
    { status: 'failed', fullName: 'b', failureMessages: [message] },
  ];
  const name = join(root, 'libs/b/b.spec.ts');
  const test = { status: 'failed', name, message: 'all of it', assertionResults };
  const syntax = { status: 'failed', name: join(root, 'c.ts'), message: 'SyntaxError: x' };
  const lines = formatSummary([
    resultFile({ failed: 1 }, test),
    resultFile({ errors: 1 }, { ...syntax, assertionResults: [] }),
  ]).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '',
    'FAILED libs/b/b.spec.ts',
    '  b',
    '    expected 1',
    '    line 0',
  ]);
  expect(lines.slice(-5)).toEqual([
    '    line 18',
    '',
    'FAILED c.ts',
    '    SyntaxError: x',
    '4 passed, 2 failed',
  ]);
});
