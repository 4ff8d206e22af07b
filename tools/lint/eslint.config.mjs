import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { declaredImports } from './declared-imports.mjs';
import { noTimeLimits } from './no-time-limits.mjs';

/**
 * The arrows of the house: domain <- api-client <- apps. Tools sit beside it; only the demo's data is let into the
 * service, and the throw-away PostgreSQL into its specs.
 */
const arrows = [
  { sourceTag: 'room:domain', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'room:api-client', onlyDependOnLibsWithTags: ['room:domain'] },
  { sourceTag: 'room:sample-data', onlyDependOnLibsWithTags: ['room:domain'] },
  { sourceTag: 'room:postgres', onlyDependOnLibsWithTags: [] },
  {
    sourceTag: 'room:service',
    onlyDependOnLibsWithTags: [
      'room:domain',
      'room:api-client',
      'room:sample-data',
      'room:postgres',
    ],
  },
  { sourceTag: 'room:desktop', onlyDependOnLibsWithTags: ['room:domain', 'room:api-client'] },
  { sourceTag: 'room:fault-proxy', onlyDependOnLibsWithTags: [] },
  {
    sourceTag: 'room:tool',
    onlyDependOnLibsWithTags: [
      'room:domain',
      'room:api-client',
      'room:sample-data',
      'room:postgres',
    ],
  },
];

/** Tests may break things as well. */
const mayBreak = ['room:service', 'room:api-client'];
const arrowsOfTests = arrows.map((arrow) =>
  mayBreak.includes(arrow.sourceTag)
    ? {
        ...arrow,
        onlyDependOnLibsWithTags: [...arrow.onlyDependOnLibsWithTags, 'room:fault-proxy'],
      }
    : arrow,
);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '**/.stryker-tmp/**'] },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    plugins: {
      house: { rules: { 'declared-imports': declaredImports, 'no-time-limits': noTimeLimits } },
    },
    rules: { 'house/declared-imports': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true },
    },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: arrows,
        },
      ],
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
    files: ['**/*.{spec,testing}.{ts,tsx,mjs}', '**/e2e/**/*.ts', '**/jest*.js'],
    rules: { 'house/no-time-limits': 'error' },
  },
  {
    files: ['**/*.spec.ts', '**/e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { enforceBuildableLibDependency: false, allow: [], depConstraints: arrowsOfTests },
      ],
    },
  },
  prettier,
);
