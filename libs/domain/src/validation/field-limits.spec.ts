import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { FIELD_LIMITS, findLengthIssues } from './field-limits.ts';

describe('the limits of imported fields', () => {
  it('are in docs/import.md, by name', () => {
    const file = new URL('../../../../docs/import.md', import.meta.url);
    const rows = readFileSync(file, 'utf8').matchAll(/^\| (`[^|]*) +\| ([\d,]+) +\|$/gmu);
    const documented = [...rows].map(([, fields = '', most = '']) => ({
      fields: [...fields.matchAll(/`(\w+)`/gu)].map(([, name]) => name),
      most: Number(most.replaceAll(',', '')),
    }));
    expect(documented).toEqual(FIELD_LIMITS);
    expect(readFileSync(file, 'utf8')).toMatch(/^\| any other text +\| 65,536 +\|$/mu);
  });

  it.each([
    ['client_user_id', 1024],
    ['last_name', 500],
    ['notes', 65_536],
    ['result', 65_536],
    ['anything_else', 65_536],
  ])('of %s is %i characters', (name, most) => {
    expect(findLengthIssues({ user: { [name]: 'x'.repeat(most) } })).toEqual([]);
    expect(findLengthIssues({ user: [{ [name]: 'x'.repeat(most + 1) }] })).toEqual([
      {
        path: ['user', 0, name],
        message: `must have at most ${most.toLocaleString('en')} characters`,
      },
    ]);
  });
});
