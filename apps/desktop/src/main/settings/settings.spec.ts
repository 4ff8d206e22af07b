import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import * as v from 'valibot';
import { defaultSettings, ZOOMS } from '../../shared/app-state.ts';
import { settingsSchema } from '../../shared/requests.ts';
import { getPolicyPath, readPolicy } from './policy-file.ts';
import { applySettingsChange, choosePaper, SettingsFile } from './settings-file.ts';

let folder: string;
folderForEach((made) => (folder = made));

const free = { values: {}, wrong: [] };
const put = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('settings', () => {
  it('are read again after a restart', () => {
    const chosen = { ...defaultSettings, theme: 'dark', paper: 'letter', lockMinutes: 2 } as const;
    new SettingsFile(folder, free).change(chosen);
    expect(new SettingsFile(folder, free).get()).toEqual(chosen);
  });

  it('keep the valid entries of a file that was edited by hand', () => {
    put('settings.json', '{"lockMinutes": 99, "theme": "light", "paper": 4, "more": true}');
    expect(new SettingsFile(folder, free).get()).toEqual({ ...defaultSettings, theme: 'light' });
  });

  it('are valid whatever the file contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (content) => {
        put('settings.json', content);
        expect(v.is(settingsSchema, new SettingsFile(folder, free).get())).toBe(true);
      }),
    );
  });
});

describe('the default paper', () => {
  it('follows the region until the user chooses another', () => {
    const asIn = (region: string, locale = 'en-US'): SettingsFile =>
      new SettingsFile(folder, free, { ...defaultSettings, paper: choosePaper(region, locale) });
    expect(asIn('US').get().paper).toBe('letter');
    expect(asIn('mx').get().paper).toBe('letter');
    for (const region of ['DE', 'ES', 'EG']) expect(asIn(region).get().paper).toBe('a4');
    // If the system has no region, the region of its language counts.
    for (const locale of ['en-US', 'en', 'es-MX', 'fr-CA']) {
      expect([locale, asIn('', locale).get().paper]).toEqual([locale, 'letter']);
    }
    for (const locale of ['en-GB', 'es', 'ar-EG', 'de-DE']) {
      expect([locale, asIn('', locale).get().paper]).toEqual([locale, 'a4']);
    }
    asIn('US').change({ paper: 'a4' });
    expect(asIn('US').get().paper).toBe('a4');
  });
});

describe('the policy', () => {
  it('adds label sizes from 40 x 20 to 150 x 150 mm', () => {
    const policy = (sizes: unknown): ReturnType<typeof readPolicy> =>
      readPolicy(put('policy.json', JSON.stringify({ labelSizes: sizes })));
    expect(policy(['62x29', '100.5x50'])).toEqual({
      values: { labelSizes: ['62x29', '100.5x50'] },
      wrong: [],
    });
    for (const wrong of [
      ['39x25'],
      ['54x19'],
      ['151x50'],
      ['54 x 25'],
      ['054x25'],
      [54],
      '54x25',
    ]) {
      expect(policy(wrong)).toEqual({ values: {}, wrong: ['labelSizes'] });
    }
  });

  it('can allow screenshots, which leave the window out by default', () => {
    expect(defaultSettings.contentProtection).toBe(true);
    const fixed = readPolicy(put('policy.json', '{"contentProtection": false}'));
    const settings = new SettingsFile(folder, fixed);
    expect(settings.get().contentProtection).toBe(false);
    expect(settings.change(defaultSettings).contentProtection).toBe(false);
  });

  it('fixes the settings it names; without it, the user’s own choice returns', () => {
    const own = { ...defaultSettings, lockMinutes: 15, theme: 'dark' } as const;
    new SettingsFile(folder, free).change(own);
    const fixed = readPolicy(put('policy.json', '{"lockMinutes": 3, "address": "https://a.b"}'));
    const settings = new SettingsFile(folder, fixed);
    expect(settings.get()).toEqual({ ...own, lockMinutes: 3, address: 'https://a.b' });
    expect(settings.getPolicy()).toEqual({ fixed: ['lockMinutes', 'address'], wrong: [] });
    expect(settings.change({ ...own, lockMinutes: 9, theme: 'light' })).toMatchObject({
      lockMinutes: 3,
      theme: 'light',
    });
    expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toMatchObject({
      lockMinutes: 15,
      address: '',
    });
  });

  it('names its invalid entries and applies the others', () => {
    const file = put('policy.json', '{"lockMinutes": 60, "theme": "dark", "__proto__": 1, "x": 1}');
    expect(readPolicy(file)).toEqual({
      values: { theme: 'dark' },
      wrong: ['lockMinutes', '__proto__', 'x'],
    });
  });

  it('is empty without a file, and invalid if it is no object', () => {
    expect(readPolicy(join(folder, 'none.json'))).toEqual({ values: {}, wrong: [] });
    for (const content of ['', '{"lockMinutes":', '[]', 'null', '7']) {
      expect(readPolicy(put('policy.json', content))).toEqual({ values: {}, wrong: ['*'] });
    }
    expect(readPolicy(folder)).toEqual({ values: {}, wrong: ['*'] });
  });

  it('never fixes an invalid value, whatever the file contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (content) => {
        const settings = new SettingsFile(folder, readPolicy(put('policy.json', content)));
        expect(v.is(settingsSchema, settings.get())).toBe(true);
      }),
    );
  });

  it('is in a folder that users can’t write to', () => {
    expect(getPolicyPath('linux', {})).toBe('/etc/caregate/desktop-policy.json');
    expect(getPolicyPath('darwin', {})).toMatch(/^\/Library\//u);
    expect(getPolicyPath('win32', { ProgramData: 'D:\\Data' })).toBe(
      'D:\\Data\\Caregate\\desktop-policy.json',
    );
  });
});

describe('a change', () => {
  const zoomed = (zoom: number, step: 'in' | 'out' | 'reset'): number | undefined =>
    applySettingsChange({ zoom: step }, { ...defaultSettings, zoom }).zoom;

  it('of the zoom goes through every step and stops at both ends', () => {
    let zoom: number = ZOOMS[0];
    const up = [zoom];
    for (let times = 0; times < ZOOMS.length; times += 1) up.push((zoom = zoomed(zoom, 'in') ?? 0));
    expect(up).toEqual([...ZOOMS, 300]);
    const down = [zoom];
    for (let times = 0; times < ZOOMS.length; times += 1) {
      down.push((zoom = zoomed(zoom, 'out') ?? 0));
    }
    expect(down).toEqual([...ZOOMS.toReversed(), 50]);
    expect(zoomed(zoom, 'reset')).toBe(100);
  });

  it('of a zoom that is no step, as in a policy, goes to the next step', () => {
    expect(zoomed(120, 'in')).toBe(125);
    expect(zoomed(120, 'out')).toBe(110);
  });

  it('of one kind of document or of the label keeps the others', () => {
    const insurance = { kind: 'insurance', printer: 'One', paper: 'a4' } as const;
    const labs = { kind: 'labs', paper: 'letter' } as const;
    const label = { printer: 'Labels', size: '54x25', copies: 2 };
    const settings = { ...defaultSettings, prints: { documents: [insurance, labs], label } };
    const next = { ...insurance, printer: 'Two' };
    expect(applySettingsChange({ document: next }, settings)).toEqual({
      prints: { documents: [labs, next], label },
    });
    expect(applySettingsChange({ label: null }, settings)).toEqual({
      prints: { documents: [insurance, labs] },
    });
    expect(applySettingsChange({ theme: 'dark' }, settings)).toEqual({ theme: 'dark' });
  });
});
