import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { declaredImports } from './declared-imports.mjs';
import { floors } from './floors.mjs';
import { noComparedSentences } from './no-compared-sentences.mjs';
import { noTimeLimits } from './no-time-limits.mjs';

/** Which scopes the code of each may import, itself aside. Tools are programs: nobody imports one. */
const scopes = {
  domain: [],
  'api-client': ['domain'],
  'sample-data': ['domain'],
  'audit-log': ['domain'],
  testing: [],
  service: ['domain', 'api-client', 'audit-log', 'sample-data'],
  desktop: ['domain', 'api-client', 'audit-log'],
  tools: ['domain', 'api-client', 'audit-log', 'sample-data', 'testing'],
};
/** What the tests of a scope may import besides: the people whom they look for. */
const scopesOfTests = { desktop: ['sample-data'] };
const types = { lib: ['lib'], test: ['lib', 'test'], app: ['lib'], tool: ['lib', 'test', 'tool'] };

/** The arrows of the house, as Nx checks them. Tests may import what is made for tests as well. */
function arrows(forTests) {
  const tags = (kind, names) => names.map((name) => `${kind}:${name}`);
  return [
    ...Object.entries(scopes).map(([scope, others]) => ({
      sourceTag: `scope:${scope}`,
      onlyDependOnLibsWithTags: tags('scope', [
        ...[scope, ...others],
        ...(forTests ? ['testing', ...(scopesOfTests[scope] ?? [])] : []),
      ]),
    })),
    ...Object.entries(types).map(([type, others]) => ({
      sourceTag: `type:${type}`,
      onlyDependOnLibsWithTags: tags('type', [...others, ...(forTests ? ['test'] : [])]),
    })),
  ];
}
const boundaries = (forTests) => [
  'error',
  { enforceBuildableLibDependency: false, allow: [], depConstraints: arrows(forTests) },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '**/.stryker-tmp/**'] },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    plugins: {
      house: {
        rules: {
          'declared-imports': declaredImports,
          floors,
          'no-compared-sentences': noComparedSentences,
          'no-time-limits': noTimeLimits,
        },
      },
    },
    rules: { 'house/declared-imports': 'error', 'house/floors': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true },
    },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(false),
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Nest and others type their plain options objects as classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Nest's modules are classes with nothing in them but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSEnumDeclaration',
          message: 'Use a const object and its type: enums emit code of their own.',
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/e2e/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
  {
    files: ['**/src/**/*.{ts,tsx}'],
    ignores: [
      '**/*.{spec,testing}.{ts,tsx}',
      // What other people's programs say without a code is read here, and nowhere else.
      '**/postgres-errors.ts', // pg
      '**/start-postgres.ts', // PostgreSQL's pg_ctl
      '**/read-line.ts', // V8's JSON.parse
      '**/system-fetch.ts', // Electron's net
    ],
    rules: { 'house/no-compared-sentences': 'error' },
  },
  {
    files: ['**/*.{spec,testing}.{ts,tsx,mjs}', '**/e2e/**/*.ts', '**/jest*.js'],
    rules: { 'house/no-time-limits': 'error' },
  },
  {
    files: ['**/*.{spec,testing}.ts', '**/{e2e,testing}/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(true) },
  },
  prettier,
);
