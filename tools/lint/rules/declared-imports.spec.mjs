import { describe, it } from '@jest/globals';
import { RuleTester } from 'oxlint/plugins-dev';
import { join } from 'node:path';
import { declaredImports } from './declared-imports.mjs';

Object.assign(RuleTester, { describe, it });

const at = (path) => join(import.meta.dirname, '../../..', path);
const product = at('apps/service/src/cli/main.ts');
const spec = at('apps/service/src/cli/main.spec.ts');
const undeclared = (name, file = 'apps/service/package.json') => [
  { messageId: 'undeclared', data: { name, file } },
];

new RuleTester().run('declared-imports', declaredImports, {
  valid: [
    {
      filename: product,
      code: "import 'pino'; import 'node:fs'; import './a.ts'; import '../b.ts';",
    },
    { filename: product, code: "import { x } from '@caregate/domain/validate';" },
    { filename: product, code: "import '@caregate/service';" },
    { filename: spec, code: "import '@caregate/seeded';" },
    { filename: at('apps/service/e2e/a.ts'), code: "import '@caregate/seeded';" },
    { filename: at('tools/bench/src/a.ts'), code: "import 'esbuild';" },
    { filename: at('libs/api-client/src/a.ts'), code: "import 'axios';" },
    { filename: spec, code: "import '@caregate/postgres';" },
    { filename: product, code: "import '../../bin/a.ts'; import '../../../../tools/setup/a.mjs';" },
  ],
  invalid: [
    { filename: product, code: "import 'left-pad';", errors: undeclared('left-pad') },
    { filename: product, code: "import '@a/b/c';", errors: undeclared('@a/b') },
    { filename: product, code: "export * from 'a/b';", errors: undeclared('a') },
    { filename: product, code: "export { b } from 'a';", errors: undeclared('a') },
    { filename: product, code: "await import('a');", errors: undeclared('a') },
    { filename: product, code: "require('a');", errors: undeclared('a') },
    {
      filename: product,
      code: "import '@caregate/seeded';",
      errors: undeclared('@caregate/seeded'),
    },
    { filename: spec, code: "import 'react';", errors: undeclared('react') },
    {
      filename: product,
      code: "import '@caregate/postgres';",
      errors: undeclared('@caregate/postgres'),
    },
    {
      filename: spec,
      code: "import '../../../../libs/domain/src/a.ts';",
      errors: [{ messageId: 'outside' }],
    },
    {
      filename: at('libs/domain/src/a.ts'),
      code: "import 'axios';",
      errors: undeclared('axios', 'libs/domain/package.json'),
    },
  ],
});
