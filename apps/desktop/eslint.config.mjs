import tseslint from 'typescript-eslint';
import shared from '../../tools/lint/eslint.config.mjs';

const noEnums = {
  selector: 'TSEnumDeclaration',
  message: 'Use a const object and its type: enums emit code of their own.',
};
const inCatalogues =
  'Text that people read is in the catalogues (src/renderer/text): use useText().';
const hasLetter = String.raw`/\p{L}/u`;
const readAttribute =
  '/^(aria-label|aria-description|aria-roledescription|title|placeholder|alt|label|help|error|sentence|description|textValue)$/';

export default tseslint.config(
  ...shared,
  {
    files: ['src/renderer/**/*.ts', 'src/renderer/**/*.tsx'],
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreVoidOperator: true }],
      // JSX hands functions on; what they return is nobody's.
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'electron', message: 'The page has no Electron: it has window.caregate.' },
          ],
          patterns: [
            { group: ['node:*'], message: 'The page has no Node.' },
            {
              group: [
                '**/main/**',
                '**/preload/**',
                '@caregate/api-client',
                '@caregate/api-client/*',
              ],
              message: 'The page reaches main by window.caregate only.',
            },
            {
              group: ['@caregate/domain/*', '!@caregate/domain/operations'],
              message:
                "The page takes only types, constants and pure functions, from '@caregate/domain'.",
            },
            {
              group: ['**/bridge/channels.ts', '**/bridge/api.ts', '**/bridge/schema.ts'],
              allowTypeImports: true,
              message: 'Only its types: the schemas are checked in main, and heavy.',
            },
          ],
        },
      ],
    },
  },
  {
    // What only tests read costs the page nothing.
    files: ['src/renderer/**/*.spec.ts', 'src/renderer/**/*.testing.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    files: ['src/renderer/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        noEnums,
        { selector: `JSXText[value=${hasLetter}]`, message: inCatalogues },
        {
          selector: `JSXAttribute[name.name=${readAttribute}] > Literal[value=${hasLetter}]`,
          message: inCatalogues,
        },
        {
          selector: `JSXAttribute[name.name=${readAttribute}] > JSXExpressionContainer > :matches(Literal[value=${hasLetter}], TemplateLiteral)`,
          message: inCatalogues,
        },
        {
          selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > Literal[value=${hasLetter}]`,
          message: inCatalogues,
        },
        {
          selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression) > Literal[value=${hasLetter}]`,
          message: inCatalogues,
        },
      ],
    },
  },
);
