import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine, table, type Row, type Section } from './measure.ts';
import { audit } from './audit/audit.ts';
import { auditLog } from './audit/audit-log.ts';
import { client } from './client.ts';
import { cost } from './cost/cost.ts';
import { desktop } from './desktop/desktop.ts';
import { gateway } from './gateway.ts';
import { imports } from './imports.ts';
import { lists } from './lists.ts';
import { peopleSearch } from './people.ts';
import { postgres } from './postgres/postgres.ts';
import { reads } from './reads.ts';
import { sessions } from './sessions/sessions.ts';
import { memory } from './memory.ts';
import { misses } from './report/check.ts';
import { withTables } from './report/document.ts';
import { drawing } from './report/drawing.ts';
import { stall } from './stall.ts';
import { start } from './start.ts';
import { timeseries } from './timeseries.ts';
import { timing } from './timing.ts';
import { validation } from './validation.ts';

const sections: readonly Section[] = [
  start,
  validation,
  reads,
  cost,
  sessions,
  stall,
  memory,
  gateway,
  client,
  audit,
  auditLog,
  timing,
  imports,
  lists,
  timeseries,
  peopleSearch,
  postgres,
  desktop,
];

const flags = ['--check', '--draw'] as const;
const given = process.argv.slice(2);
const wanted = given.filter((one) => !flags.some((flag) => flag === one));
const unknown = wanted.filter((name) => !sections.some((section) => section.name === name));
if (unknown.length > 0) {
  console.error(
    `No bench is named ${unknown.join(', ')}. There are: ${sections.map(({ name }) => name).join(', ')}, and ${flags.join(' and ')}.`,
  );
  process.exit(2);
}

const folder = fileURLToPath(new URL('../results', import.meta.url));
mkdirSync(folder, { recursive: true });
const file = `${folder}/bench.json`;
const results: Record<string, readonly Row[]> = {};
console.log(machine());
for (const section of sections) {
  if (wanted.length === 0 || wanted.includes(section.name)) {
    const reason = wanted.length === 0 ? await section.leftOut?.() : undefined;
    if (reason !== undefined) {
      console.log(`\n${section.name} is left out: ${reason}`);
      continue;
    }
    console.log(`\n## ${section.title}\n`);
    let rows: readonly Row[];
    try {
      rows = await section.run();
    } catch (error) {
      // The others are measured all the same.
      console.error(error);
      process.exitCode = 1;
      continue;
    }
    console.log(table(rows));
    results[section.name] = rows;
    // After each, so that a run that is ended early leaves something.
    const report = { machine: machine(), finished: new Date().toISOString(), results };
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  }
}
console.log(`\nWritten to ${file}`);
// Of some sections the drawing and the tables would lack the others.
if (wanted.length === 0 || given.includes('--draw')) {
  const about = `${machine()}, ${new Date().toISOString().slice(0, 10)}`;
  const drawn = fileURLToPath(new URL('../../../docs/bench.svg', import.meta.url));
  writeFileSync(drawn, drawing(results, about));
  const figures = fileURLToPath(new URL('../../../docs/figures.md', import.meta.url));
  writeFileSync(figures, withTables(readFileSync(figures, 'utf8'), sections, results, about));
  console.log(`Drawn in ${drawn}, tables in ${figures}`);
}
if (given.includes('--check')) {
  const missed = misses(results);
  missed.forEach((line) => {
    console.error(`Missed: ${line}`);
  });
  if (missed.length > 0) {
    process.exitCode = 1;
  }
}
