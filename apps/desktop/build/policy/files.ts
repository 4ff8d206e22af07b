import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { adml, admx } from './admx.ts';
import { policyFileSchema, policyTable } from './managed.ts';
import { profile } from './profile.ts';

const folder = join(import.meta.dirname, '../../policy');
const document = join(import.meta.dirname, '../../../../docs/desktop-policy.md');
const begin = '<!-- made by `npm run policy` in apps/desktop -->';
const end = '<!-- end -->';

/** Each file that is made of the schema, by its path, with what it must hold. */
export async function policyFiles(): Promise<readonly (readonly [string, string])[]> {
  const text = readFileSync(document, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const after = rest.slice(rest.indexOf(end));
  return [
    [
      join(folder, 'desktop-policy.schema.json'),
      await format(JSON.stringify(policyFileSchema()), { parser: 'json', printWidth: 100 }),
    ],
    [join(folder, 'Caregate.admx'), admx()],
    [join(folder, 'en-US/Caregate.adml'), adml()],
    [join(folder, 'caregate-desktop.mobileconfig'), profile()],
    [
      document,
      await format(`${before ?? ''}${begin}\n\n${policyTable()}\n\n${after}`, {
        parser: 'markdown',
        printWidth: 100,
      }),
    ],
  ];
}
