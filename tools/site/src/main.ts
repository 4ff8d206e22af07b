import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkLinks } from './check-links.ts';
import { writeReference } from './reference.ts';
import { writeServicePages } from './service-pages.ts';

const own = fileURLToPath(new URL('../dist/site', import.meta.url));
const folder = resolve(process.argv[2] ?? own);
// Replace only what was generated: the folder may contain anything.
if (folder === own) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
await writeReference(folder);
await writeServicePages(join(folder, 'service'));
const { pages, links, findings } = checkLinks(folder);
findings.forEach((finding) => {
  console.error(finding);
});
console.log(`${pages} pages, ${links} links, ${findings.length} of them broken: ${folder}`);
process.exitCode = findings.length === 0 ? 0 : 1;
