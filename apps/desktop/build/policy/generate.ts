/** `npm run policy`: writes what administrators install from the program's own schema of its settings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { policyFiles } from './files.ts';

for (const [file, content] of await policyFiles()) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
