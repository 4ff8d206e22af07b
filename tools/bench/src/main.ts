import { parseArgs } from 'node:util';
import { measureGateway } from './gateway.ts';
import { head, formatRow, describeMachine } from './measure.ts';
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
  throw new Error(`No section is named ${unknown}; there are ${Object.keys(sections).join(', ')}`);
}

console.log(describeMachine());
for (const [name, measure] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n## ${name}\n\n${head}`);
  for await (const row of measure(values.before)) console.log(formatRow(row));
}
