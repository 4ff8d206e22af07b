import { writeFileSync } from 'node:fs';

// The package that this runs in is "type": "module"; this folder of it is not.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
