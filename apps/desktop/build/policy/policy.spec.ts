import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { defaultSettings, settingsSchema } from '../../src/bridge/app-state.ts';
import { adml, admx } from './admx.ts';
import { policyFiles } from './files.ts';
import { managedSettings, policyFileSchema, policyTable } from './managed.ts';
import { profile } from './profile.ts';

const names = Object.keys(defaultSettings);
const all = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('what administrators install', () => {
  it('is what the schema of the program makes of it: `npm run policy` writes it', async () => {
    const files = await policyFiles();
    expect(files.map(([file]) => [file, readFileSync(file, 'utf8')])).toEqual(files);
  });

  it('has each setting in each of its forms', () => {
    const { properties } = policyFileSchema() as { properties: object };
    expect(Object.keys(properties)).toEqual(names);
    expect(all(/<policy name="(\w+)"/gu, admx())).toEqual(names);
    expect(all(/<key>([a-z]\w+)<\/key>/gu, profile())).toEqual(names);
    expect(all(/^\| `(\w+)` \|/gmu, policyTable())).toEqual(names);
  });

  it('has examples that the program takes', () => {
    const examples = managedSettings().map(({ name, example }) => [name, example]);
    expect(settingsSchema(Object.fromEntries(examples))).toMatchObject({ ok: true });
  });

  it('has the words and controls that its Windows policies name, and no others', () => {
    const [policies, words] = [admx(), adml()];
    const asked = new Set(all(/\$\(string\.(\w+)\)/gu, policies));
    expect(new Set(all(/<string id="(\w+)">/gu, words))).toEqual(asked);
    expect(all(/<presentation id="(\w+)">/gu, words)).toEqual(
      all(/\$\(presentation\.(\w+)\)/gu, policies),
    );
    expect(all(/refId="(\w+)"/gu, words)).toEqual(
      all(/<(?:text|enum|decimal|multiText) id="(\w+)"/gu, policies),
    );
  });

  it('is closed: every element ends, and no text breaks out of its place', () => {
    for (const file of [admx(), adml(), profile()]) {
      const open: string[] = [];
      for (const [, end, name = '', alone] of file.matchAll(/<(\/)?([A-Za-z]\w*)[^<>]*?(\/)?>/gu)) {
        if (end !== undefined) expect(open.pop()).toBe(name);
        else if (alone === undefined) open.push(name);
      }
      expect(open).toEqual([]);
    }
  });
});
