import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './install.mjs';

/** Returns the failures and the totals of Jest's results. CI reads the last line. */
export function formatSummary(results) {
  const failures = results
    .flatMap(({ testResults }) => testResults)
    .filter(({ status }) => status === 'failed')
    .map(formatFile);
  const sum = (count) => results.reduce((total, each) => total + each[count], 0);
  const totals = [
    `${sum('numPassedTests')} passed`,
    `${sum('numFailedTests') + sum('numRuntimeErrorTestSuites')} failed`,
    ...(sum('numPendingTests') > 0 ? [`${sum('numPendingTests')} skipped`] : []),
  ];
  return [...failures, totals.join(', ')].join('\n');
}

/** A file that didn't load has a message of its own, and no failed test. */
function formatFile({ name, message, assertionResults }) {
  const tests = assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => `  ${test.fullName}\n${formatBeginning(test.failureMessages.join('\n'))}`);
  const details = tests.length > 0 ? tests : [formatBeginning(message)];
  return `\nFAILED ${relative(root, name)}\n${details.join('\n')}`;
}

/** Returns the first lines, which have the expectation and its place. */
function formatBeginning(message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 20);
  return lines.map((line) => `    ${line}`).join('\n');
}
