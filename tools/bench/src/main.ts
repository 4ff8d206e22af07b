import { mkdirSync, writeFileSync } from 'node:fs';
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
import { postgres } from './postgres/postgres.ts';
import { reads } from './reads.ts';
import { start } from './start.ts';
import { timeseries } from './timeseries.ts';
import { timing } from './timing.ts';
import { validation } from './validation.ts';

const sections: readonly Section[] = [
  start,
  validation,
  reads,
  cost,
  gateway,
  client,
  audit,
  auditLog,
  timing,
  imports,
  lists,
  timeseries,
  postgres,
  desktop,
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !sections.some((section) => section.name === name));
if (unknown.length > 0) {
  console.error(
    `No bench is named ${unknown.join(', ')}. There are: ${sections.map(({ name }) => name).join(', ')}.`,
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
    const rows = await section.run();
    console.log(table(rows));
    results[section.name] = rows;
    // After each, so that one that fails does not take the others' along.
    const report = { machine: machine(), finished: new Date().toISOString(), results };
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  }
}
console.log(`\nWritten to ${file}`);
