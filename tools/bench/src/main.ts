import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { client } from './client.ts';
import { gateway } from './gateway.ts';
import { machine, misses, table, type Row } from './measure.ts';
import { reads } from './reads.ts';
import { strain } from './strain.ts';

/** `before` is the folder of another checkout whose service is built. */
const sections: Readonly<Record<string, (before?: string) => Promise<readonly Row[]>>> = {
  reads,
  strain,
  gateway,
  client,
};

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' }, before: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => sections[name] === undefined);
if (unknown !== undefined) {
  console.error(`No bench is named ${unknown}. There are: ${Object.keys(sections).join(', ')}.`);
  process.exit(2);
}

const folder = fileURLToPath(new URL('../results', import.meta.url));
mkdirSync(folder, { recursive: true });
const results: Record<string, readonly Row[]> = {};
console.log(machine());
for (const [name, measure] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) {
    continue;
  }
  try {
    const rows = await measure(values.before);
    console.log(`\n## ${name}\n\n${table(rows)}`);
    results[name] = rows;
  } catch (error) {
    // The other sections are measured all the same.
    console.error(error);
    process.exitCode = 1;
  }
  // Written after each section, so that a run that is ended early leaves something.
  const report = { machine: machine(), finished: new Date().toISOString(), results };
  writeFileSync(`${folder}/bench.json`, `${JSON.stringify(report, null, 2)}\n`);
}
if (values.check === true) {
  for (const line of misses(Object.values(results).flat())) {
    console.error(`Missed: ${line}`);
    process.exitCode = 1;
  }
}
