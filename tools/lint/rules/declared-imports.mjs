import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { nearestWith, packageJson, packageName, root } from '../packages.mjs';

const ofAll = Object.keys(packageJson(root).devDependencies);
/** Build and test code: may import the root's devDependencies and test packages. */
const forDevelopers =
  /\/tools\/|\/(?:e2e|testing|generate|build)\/|\.(?:spec|testing|config|mutate)\.\w+$/u;

/** A file imports the packages that its package.json declares, and other packages by their name alone. */
export const declaredImports = {
  meta: {
    type: 'problem',
    messages: {
      undeclared: '{{ name }} is imported here and not declared in {{ file }}.',
      outside: '{{ name }} is in another package: import it by its name.',
    },
    schema: [],
  },
  create(context) {
    const folder = nearestWith('package.json', context.filename);
    const own = packageJson(folder);
    const isForDevelopers = forDevelopers.test(context.filename.slice(root.length));
    const declared = new Set([
      own.name,
      ...Object.keys(own.dependencies ?? {}),
      ...Object.keys(own.peerDependencies ?? {}),
      ...Object.keys(own.devDependencies ?? {}).filter(
        (name) => isForDevelopers || !name.startsWith('@caregate/'),
      ),
      ...(isForDevelopers ? ofAll : []),
    ]);
    const check = (source) => {
      const specifier = source?.value;
      if (typeof specifier !== 'string' || isBuiltin(specifier)) return;
      if (specifier.startsWith('.')) {
        const target = resolve(dirname(context.filename), specifier);
        // Scripts run before packages are installed.
        if (/\.tsx?$/u.test(target) && relative(folder, target).startsWith('..')) {
          context.report({ node: source, messageId: 'outside', data: { name: specifier } });
        }
        return;
      }
      if (!/^[@\w]/u.test(specifier)) return;
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
