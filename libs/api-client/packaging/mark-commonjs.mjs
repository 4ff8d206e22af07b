import { writeFileSync } from 'node:fs';

// The package is "type": "module"; this folder of it is not.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
