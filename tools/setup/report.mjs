import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectFolders, root } from './install.mjs';

const BUDGET = new URL('budget.json', import.meta.url);
/** A task may grow past its budget by this, and by as many seconds, before it fails: the rest is the machine's noise. */
const TOLERATED = { factor: 1.25, seconds: 5 };
/** With fewer tasks the machine's speed is unknown. */
const FEWEST_MEASURED = 5;

/** Reads what the tasks wrote, or Nx put back. Exit code 1 where no test ran or a task grew past its budget. */
export function report() {
  const tasks = readTasks();
  const tests = tasks.flatMap(({ results }) =>
    results.testResults === undefined ? [] : [results],
  );
  tests
    .flatMap(({ testResults }) => testResults.flatMap(failuresOf))
    .forEach((line) => {
      console.log(line);
    });
  console.log(`\n${table(tasks)}`);
  const grown = overBudget(tasks, JSON.parse(readFileSync(BUDGET, 'utf8')));
  grown.forEach((line) => {
    console.log(line);
  });
  const sum = (of) => tests.reduce((total, results) => total + of(results), 0);
  const passed = sum(({ numPassedTests }) => numPassedTests);
  const failed = sum((each) => each.numFailedTests + each.numRuntimeErrorTestSuites);
  // Last, since readers see the end of the output first.
  console.log(`${passed} passed, ${failed} failed`);
  return passed === 0 || grown.length > 0 ? 1 : 0;
}

function readTasks() {
  return ['', ...projectFolders()].flatMap((folder) =>
    globSync('*-results.json', { cwd: join(root, folder) }).map((file) => {
      const results = JSON.parse(readFileSync(join(root, folder, file), 'utf8'));
      const target = basename(file).replace('-results.json', '');
      const isOfThisRun = results.cost?.run === process.env.TEST_RUN;
      const name = folder === '' ? target : `${folder.split('/').at(-1)}:${target}`;
      return { name, results, cost: isOfThisRun ? results.cost : undefined };
    }),
  );
}

function table(tasks) {
  const seconds = (value) => (value === undefined ? '' : value.toFixed(1));
  const rows = tasks
    .toSorted((a, b) => (b.cost?.processorSeconds ?? 0) - (a.cost?.processorSeconds ?? 0))
    .map(({ name, results, cost }) => [
      name,
      cost === undefined ? 'cached' : seconds(cost.wallSeconds),
      seconds(cost?.processorSeconds),
      String(results.numPassedTests ?? ''),
    ]);
  const all = [['task', 'seconds', 'of processor', 'tests passed'], ...rows];
  const widths = all[0].map((_, at) => Math.max(...all.map((row) => row[at].length)));
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
        .join('  '),
    )
    .join('\n');
}

/** Machines differ, so the budget is one of shares: what a task takes is held against the median of the tasks. */
export function overBudget(tasks, budget) {
  const measured = tasks.flatMap(({ name, cost }) =>
    cost?.processorSeconds > 0 && budget[name] > 0
      ? [{ name, taken: cost.processorSeconds, granted: budget[name] }]
      : [],
  );
  if (measured.length < FEWEST_MEASURED) return [];
  // Of the longer half: short tasks are noise.
  const dear = measured
    .toSorted((a, b) => b.granted - a.granted)
    .slice(0, Math.ceil(measured.length / 2));
  const ratios = dear.map(({ taken, granted }) => taken / granted).toSorted((a, b) => a - b);
  const pace = ratios[Math.floor(ratios.length / 2)];
  return measured
    .map((each) => ({ ...each, granted: each.granted * pace }))
    .filter(
      ({ taken, granted }) =>
        taken > granted * TOLERATED.factor && taken > granted + TOLERATED.seconds,
    )
    .map(
      ({ name, taken, granted }) =>
        `${name} took ${taken.toFixed(0)} s of the processor; its budget is ${granted.toFixed(0)} s on this machine (tools/setup/budget.json). Find what grew, or move it to the long tier.`,
    );
}

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
