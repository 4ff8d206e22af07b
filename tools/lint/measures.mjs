/** Prints how the house stands: `node tools/lint/measures.mjs`, with `--all` each finding on a line. */
import { findingsIn, fullestFolder, rooms, unusedByRoom } from './house.mjs';

const all = process.argv.includes('--all');
const [unused, testsOnly] = [unusedByRoom(), unusedByRoom({ production: true })];
const measured = rooms().map((room) => ({
  room,
  ...findingsIn(room),
  unused: [...new Set([...unused[room], ...testsOnly[room]])],
  fullest: fullestFolder(room),
}));

const columns = ['circles', 'upward', 'unused'];
const rows = measured.map(({ room, fullest, ...found }) => [
  room,
  ...columns.map((column) => String(found[column].length)),
  `${fullest.files} (${fullest.at})`,
]);
const sum = columns.map((column) =>
  measured.reduce((total, each) => total + each[column].length, 0),
);
const most = Math.max(...measured.map(({ fullest }) => fullest.files));
print([
  ['', 'circles', 'upward', 'unused', 'most files in a folder'],
  ...rows,
  ['all', ...sum.map(String), String(most)],
]);
if (all) {
  for (const { room, ...found } of measured) {
    for (const column of columns) {
      for (const line of found[column]) console.log(`${column}: ${room}/${line}`);
    }
  }
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
