import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { adml, admx } from './admx.ts';
import { policyFileSchema, policyTable } from './managed.ts';
import { profile } from './profile.ts';

const folder = join(import.meta.dirname, '../../policy');
const document = join(import.meta.dirname, '../../../../docs/desktop-policy.md');
const begin = '<!-- made by `npm run policy` in apps/desktop -->';
const end = '<!-- end -->';

export async function policyFiles(): Promise<readonly (readonly [string, string])[]> {
  const text = readFileSync(document, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const after = rest.slice(rest.indexOf(end));
  return [
    [
      join(folder, 'desktop-policy.schema.json'),
      await formatted('schema.json', JSON.stringify(policyFileSchema())),
    ],
    [join(folder, 'Caregate.admx'), admx()],
    [join(folder, 'en-US/Caregate.adml'), adml()],
    [join(folder, 'caregate-desktop.mobileconfig'), profile()],
    [
      document,
      await formatted(document, `${before ?? ''}${begin}\n\n${policyTable()}\n\n${after}`),
    ],
  ];
}

async function formatted(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, text, { printWidth: 100 });
  if (errors.length > 0) throw new Error(`${name} can't be formatted: ${JSON.stringify(errors)}`);
  return code;
}
