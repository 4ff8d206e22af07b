/** `npm run policy`: writes the files for administrators from the schema of the settings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { policyFiles } from './files.ts';

for (const [file, content] of await policyFiles()) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
