import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { nearestWith, packageJson, packageName, root } from './packages.mjs';

const ofAll = Object.keys(packageJson(root).devDependencies);
/** What is run while the product is made and tested, never in it: the root's devDependencies serve here. */
const forDevelopers =
  /\/tools\/|\/(?:e2e|testing|generate)\/|\.(?:spec|testing|config|mutate)\.\w+$/u;

/** Each package that a file imports is declared by the package.json that the file belongs to. */
export const declaredImports = {
  meta: {
    type: 'problem',
    messages: { undeclared: '{{ name }} is imported here and not declared in {{ file }}.' },
    schema: [],
  },
  create(context) {
    const folder = nearestWith('package.json', context.filename);
    const own = packageJson(folder);
    const declared = new Set([
      own.name,
      ...Object.keys(own.dependencies ?? {}),
      ...Object.keys(own.devDependencies ?? {}),
      ...Object.keys(own.peerDependencies ?? {}),
      ...(forDevelopers.test(context.filename.slice(root.length)) ? ofAll : []),
    ]);
    const check = (source) => {
      const specifier = source?.value;
      if (typeof specifier !== 'string' || !/^[@\w]/u.test(specifier) || isBuiltin(specifier)) {
        return;
      }
      const name = packageName(specifier);
      if (!declared.has(name) && !declared.has(`@types/${name}`)) {
        const file = join(folder, 'package.json').slice(root.length + 1);
        context.report({ node: source, messageId: 'undeclared', data: { name, file } });
      }
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
      'CallExpression[callee.name="require"]': (call) => check(call.arguments[0]),
    };
  },
};
