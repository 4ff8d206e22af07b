import { describe, it } from '@jest/globals';
import { RuleTester } from 'oxlint/plugins-dev';
import { join } from 'node:path';
import { floors } from './floors.mjs';

Object.assign(RuleTester, { describe, it });

const at = (path) => join(import.meta.dirname, 'fixtures', path);
const imports = (from, specifier) => ({ filename: at(from), code: `import '${specifier}';` });
const forbidden = (messageId, from, to) => ({ errors: [{ messageId, data: { from, to } }] });

new RuleTester().run('floors', floors, {
  valid: [
    imports('src/left/a.ts', '../low/b.ts'),
    imports('src/left/deep/a.ts', '../../low/deep/b.ts'),
    imports('src/low/a.ts', './b.ts'),
    imports('src/low/a.ts', './high/b.ts'),
    imports('src/start.ts', './high/top/a.ts'),
    imports('src/high/top/a.ts', '../base/b.ts'),
    imports('src/low/a.spec.ts', '../high/b.ts'),
    imports('src/low/a.testing.ts', '../high/b.ts'),
    imports('src/unheard-of.spec.ts', './high/b.ts'),
    imports('src/high/top/a.ts', 'left'),
    imports('build/a.ts', '../src/high/b.ts'),
    {
      filename: join(import.meta.dirname, 'floors.mjs'),
      code: "import './fixtures/src/high/a.ts';",
    },
  ],
  invalid: [
    { ...imports('src/low/a.ts', '../left/b.ts'), ...forbidden('upward', 'low', 'left') },
    { ...imports('src/low/deep/a.ts', '../../high/b.ts'), ...forbidden('upward', 'low', 'high') },
    { ...imports('src/high/base/a.ts', '../../start.ts'), ...forbidden('upward', 'high', 'start') },
    { ...imports('src/high/base/a.ts', '../top/b.ts'), ...forbidden('upward', 'base', 'top') },
    { ...imports('src/left/a.ts', '../right/b.ts'), ...forbidden('sideways', 'left', 'right') },
    {
      filename: at('src/low/a.ts'),
      code: "export * from '../high/b.ts';",
      ...forbidden('upward', 'low', 'high'),
    },
    {
      filename: at('src/low/a.ts'),
      code: "export { b } from '../high/b.ts';",
      ...forbidden('upward', 'low', 'high'),
    },
    {
      filename: at('src/low/a.ts'),
      code: "await import('../high/b.ts');",
      ...forbidden('upward', 'low', 'high'),
    },
    {
      filename: at('src/low/a.ts'),
      code: "type B = import('../high/b.ts').B;",
      ...forbidden('upward', 'low', 'high'),
    },
    {
      filename: at('src/nameless/a.ts'),
      code: '',
      errors: [{ messageId: 'unnamed', data: { name: 'nameless', folder: 'src' } }],
    },
    {
      filename: at('src/high/nameless.ts'),
      code: '',
      errors: [{ messageId: 'unnamed', data: { name: 'nameless', folder: 'src/high' } }],
    },
  ],
});
