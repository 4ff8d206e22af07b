import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { nearestWith } from '../packages.mjs';

/** Tests import what they like. */
const ofTests = /\.(?:spec|testing)\.\w+$/u;

/** In `floors.json` a key is a folder, its value names in it, lowest first; names of an inner list don't import each other. */
export const floors = {
  meta: {
    type: 'problem',
    messages: {
      upward: '{{ from }} may not import {{ to }}, which stands above it in floors.json.',
      sideways: '{{ from }} may not import {{ to }}: floors.json has them side by side.',
      unnamed: '{{ name }} stands on no floor: name it under "{{ folder }}" in floors.json.',
    },
    schema: [],
  },
  create(context) {
    const app = nearestWith('floors.json', context.filename);
    if (ofTests.test(context.filename)) return {};
    const levels = floorsOf(app)
      .map(({ folder, floorAt }) => ({
        folder,
        floorAt,
        from: nameIn(app, folder, context.filename),
      }))
      .filter(({ from }) => from !== undefined);
    const check = (source) => {
      const specifier = source?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const target = resolve(dirname(context.filename), specifier);
      for (const { folder, floorAt, from } of levels) {
        const to = nameIn(app, folder, target);
        const direction = directionOf(floorAt, from, to);
        if (direction !== undefined) {
          context.report({ node: source, messageId: direction, data: { from, to } });
        }
      }
    };
    return {
      Program(node) {
        for (const { folder, floorAt, from: name } of levels) {
          if (!floorAt.has(name)) {
            context.report({ node, messageId: 'unnamed', data: { name, folder } });
          }
        }
      },
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
    };
  },
};

const read = new Map();

function floorsOf(app) {
  if (!read.has(app)) {
    const file = join(app, 'floors.json');
    const plan = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    read.set(
      app,
      Object.entries(plan).map(([folder, names]) => ({
        folder,
        floorAt: new Map(
          names.flatMap((entry, floor) => [entry].flat().map((name) => [name, floor])),
        ),
      })),
    );
  }
  return read.get(app);
}

function directionOf(floorAt, from, to) {
  const [here, there] = [floorAt.get(from), floorAt.get(to)];
  if (from === to || here === undefined || there === undefined || there < here) return undefined;
  return there > here ? 'upward' : 'sideways';
}

function nameIn(app, folder, path) {
  const [first, ...deeper] = relative(join(app, folder), path).split(sep);
  if (first === '..' || first === '') return undefined;
  return deeper.length > 0 ? first : first.replace(/\.\w+$/u, '');
}
