import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

let folder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-boundaries-'));
  const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  // The imported modules don't exist, so rules with types don't work.
  config.options.typeAware = false;
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the rule's messages for a file at this path that imports this module. */
function boundaryMessages(path, module) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `import { value } from '${module}';\nexport const copy: unknown = value;\n`);
  const command = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', path];
  let output;
  try {
    output = execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    output = error.stdout;
  }
  return JSON.parse(output)
    .diagnostics.filter(({ code }) => code.includes('no-restricted-imports'))
    .map(({ help, message }) => `${message} ${help ?? ''}`);
}

it.each([
  ['another app in an app', 'apps/service/src/a.ts', '@caregate/desktop'],
  ['another app by its path', 'apps/desktop/src/main/a.ts', '../../../service/src/main.ts'],
  ['an app in a library', 'libs/data-store/src/a.ts', '@caregate/service'],
  ['an app in a library by its path', 'libs/fhir/src/a.ts', '../../../apps/service/src/main.ts'],
  ['a tool in a library', 'libs/data-store/src/a.ts', '../../../tools/setup/install.mjs'],
  ...['audit-log', 'domain', 'fhir', 'hl7v2'].map((library) => [
    `NestJS in ${library}`,
    `libs/${library}/src/a.ts`,
    '@nestjs/common',
  ]),
])('the linter refuses the import of %s', (_, path, module) => {
  expect(boundaryMessages(path, module)).toHaveLength(1);
});

it.each([
  ['apps/service/src/a.ts', '@caregate/data-store'],
  ['libs/data-store/src/a.ts', '@nestjs/axios'],
  ['libs/data-store/src/a.ts', '@caregate/hl7v2'],
])('the linter accepts in %s the import of %s', (path, module) => {
  expect(boundaryMessages(path, module)).toEqual([]);
});
