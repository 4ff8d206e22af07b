import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureGateway } from './gateway.ts';
import { head, formatRow, describeMachine, type Row } from './measure.ts';
import { measureReads } from './reads.ts';
import { measureStrain } from './strain.ts';

const sections = { reads: measureReads, strain: measureStrain, gateway: measureGateway };
const { values, positionals } = parseArgs({
  // The folder of another checkout whose service is built.
  options: { before: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(sections, name));
if (unknown !== undefined) {
  console.error(`No section is named ${unknown}. There are: ${Object.keys(sections).join(', ')}.`);
  process.exit(2);
}

const folder = fileURLToPath(new URL('../results', import.meta.url));
mkdirSync(folder, { recursive: true });
const results: Record<string, Row[]> = {};
console.log(describeMachine());
for (const [name, measure] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const rows: Row[] = (results[name] = []);
  console.log(`\n## ${name}\n\n${head}`);
  try {
    for await (const row of measure(values.before)) {
      rows.push(row);
      console.log(formatRow(row));
      const report = { machine: describeMachine(), finished: new Date().toISOString(), results };
      writeFileSync(`${folder}/bench.json`, `${JSON.stringify(report, null, 2)}\n`);
    }
  } catch (error) {
    // The other sections are measured all the same.
    console.error(error);
    process.exitCode = 1;
  }
}
