import { writeFileSync } from 'node:fs';

// The package is "type": "module", but this folder of it has CommonJS files.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
