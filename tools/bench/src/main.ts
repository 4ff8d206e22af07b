import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine, misses, table, type Row, type Section } from './measure.ts';
import { client } from './client.ts';
import { gateway } from './gateway.ts';
import { postgres } from './postgres/postgres.ts';
import { reads } from './reads/reads.ts';
import { strain } from './strain.ts';

const sections: readonly Section[] = [reads, strain, gateway, client, postgres];

const args = process.argv.slice(2);
const wanted = args.filter((one) => one !== '--check');
const unknown = wanted.filter((name) => !sections.some((section) => section.name === name));
if (unknown.length > 0) {
  console.error(
    `No bench is named ${unknown.join(', ')}. There are: ${sections.map(({ name }) => name).join(', ')}, and --check.`,
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
if (args.includes('--check')) {
  const missed = misses(results);
  missed.forEach((line) => {
    console.error(`Missed: ${line}`);
  });
  if (missed.length > 0) {
    process.exitCode = 1;
  }
}
