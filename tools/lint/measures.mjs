/** Prints lines, circles and unused exports by package; with `--all` each finding. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circlesIn, fullestFolder, rooms, unusedByRoom } from './house.mjs';
import { root } from './packages.mjs';
import { isForTests } from './source-files.mjs';

const all = process.argv.includes('--all');
const [unused, testsOnly] = [unusedByRoom(), unusedByRoom({ production: true })];
const measured = rooms().map((room) => ({
  room,
  circles: circlesIn(room),
  unused: [...new Set([...unused[room], ...testsOnly[room]])],
  fullest: fullestFolder(room),
  lines: linesIn(room),
}));

const columns = ['circles', 'unused'];
const rows = measured.map(({ room, fullest, lines, ...found }) => [
  room,
  String(lines.source),
  String(lines.tests),
  ...columns.map((column) => String(found[column].length)),
  `${fullest.files} (${fullest.at})`,
]);
const sum = columns.map((column) =>
  measured.reduce((total, each) => total + each[column].length, 0),
);
const linesOf = (kind) => String(measured.reduce((total, { lines }) => total + lines[kind], 0));
const most = Math.max(...measured.map(({ fullest }) => fullest.files));
print([
  ['', 'source', 'tests', 'circles', 'unused', 'most files in a folder'],
  ...rows,
  ['all', linesOf('source'), linesOf('tests'), ...sum.map(String), String(most)],
]);
if (all) {
  for (const { room, ...found } of measured) {
    for (const column of columns) {
      for (const line of found[column]) console.log(`${column}: ${room}/${line}`);
    }
  }
}

/** Lines written by hand; generated files say so in their first line or folder name. */
function linesIn(room) {
  const lines = { source: 0, tests: 0 };
  const files = execFileSync('git', ['ls-files', room], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\n')) {
    if (!/\.(?:[cm]?[jt]s|tsx|css|html)$/u.test(file) || /\/generated\//u.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    if (text.startsWith('// Generated')) continue;
    lines[isForTests(file) ? 'tests' : 'source'] += text.split('\n').length - 1;
  }
  return lines;
}

function print(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}
