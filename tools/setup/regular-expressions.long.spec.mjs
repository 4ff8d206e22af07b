import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { long, root } from './install.mjs';

const { check } = createRequire(join(long, 'package.json'))('recheck');

/** Files whose patterns come from the command line. */
const WITHOUT_CONSTANTS = ['tools/mutate/jest-circus.mutate.js'];

const TESTS = /\.(?:spec|testing)\.m?[jt]sx?$|\/(?:e2e|long)\//u;

function sourceFiles() {
  const patterns = ['*.ts', '*.tsx', '*.mts', '*.js', '*.mjs', '*.cjs'];
  const options = ['--cached', '--others', '--exclude-standard'];
  return execFileSync('git', ['ls-files', ...options, ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !TESTS.test(file) && existsSync(join(root, file)));
}

/** Returns the text of a constant expression, or undefined. */
function constantText(node, constants) {
  if (node === undefined) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text);
  if (ts.isTaggedTemplateExpression(node)) {
    return node.tag.getText() === 'String.raw' && ts.isNoSubstitutionTemplateLiteral(node.template)
      ? node.template.rawText
      : undefined;
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const text = constantText(expression, constants);
    return text === undefined ? undefined : text + literal.text;
  });
  return spans.includes(undefined) ? undefined : node.head.text + spans.join('');
}

function expressionsIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const [found, constants] = [[], new Map()];
  const visit = (node) => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const value = constantText(node.initializer, constants);
      if (value !== undefined) constants.set(node.name.text, value);
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place, pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp'
    ) {
      const [pattern, flags] = [0, 1].map((at) => constantText(node.arguments[at], constants));
      found.push({ place, pattern, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const all = sourceFiles().flatMap(expressionsIn);

it('finds literals and new RegExp', () => {
  const inFile = (name) =>
    all.filter(({ place }) => place.startsWith(name)).map(({ pattern }) => pattern);
  expect(inFile('libs/fhir/src/ids.ts')[0]).toBe(
    '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.(primary|secondary)$',
  );
  expect(inFile('apps/desktop/src/main/link/deep-link.ts')).not.toEqual([]);
});

it('has no regular expression that is made of other than constants', () => {
  const others = all
    .filter(({ pattern, flags }) => pattern === undefined || flags === undefined)
    .map(({ place }) => place)
    .filter((place) => !WITHOUT_CONSTANTS.some((file) => place.startsWith(`${file}:`)));
  expect(others).toEqual([]);
});

it('has no regular expression that takes more than linear time', async () => {
  const constant = all.filter(({ pattern }) => pattern !== undefined);
  const places = Map.groupBy(constant, ({ pattern, flags }) => `/${pattern}/${flags}`);
  const slow = [];
  for (const [expression, [{ pattern, flags, place }]] of places) {
    const { status, complexity, error } = await check(pattern, flags, {
      timeout: 60_000,
      randomSeed: 0,
    });
    if (status !== 'safe') {
      slow.push({ place, expression, why: complexity?.summary ?? error?.kind ?? status });
    }
  }
  expect(slow).toEqual([]);
}, 300_000);

it('notices an expression that takes quadratic time', async () => {
  const { status } = await check('(\\d+)\\D*$', 'u');
  expect(status).toBe('vulnerable');
});
