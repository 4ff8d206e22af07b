import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundled } from './packages.ts';
import { root } from './workspace.ts';

const texts = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/iu;

/** Returns the licences of Caregate and of all bundled packages. @throws Error for a package without one */
export function renderLicences(packages: readonly Bundled[]): string {
  const ownLicence = readFileSync(join(root, 'LICENSE'), 'utf8');
  return [renderSection('Caregate', ownLicence), ...packages.map(renderPackage)].join('\n');
}

function renderPackage({ folder, name, version, license }: Bundled): string {
  const found = readdirSync(join(root, folder))
    .filter((file) => texts.test(file))
    .sort()
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  if (found.length === 0 && license === undefined) {
    throw new Error(`${name} ${version} says no licence; nobody may pass it on.`);
  }
  return renderSection(`${name} ${version}`, [license ?? [], ...found].flat().join('\n\n'));
}

function renderSection(title: string, text: string): string {
  return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text.trim()}\n`;
}
