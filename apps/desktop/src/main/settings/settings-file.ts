import { join } from 'node:path';
import { defaultSettings, settingsSchema, ZOOMS } from '../../shared/app-state.ts';
import type { Policy, Settings, ZoomStep } from '../../shared/app-state.ts';
import { readJson, writeWhole } from '../files/whole-file.ts';
import type { FixedSettings } from './policy-file.ts';

/** The user's settings under the policy: nothing about patients, no key. */
export class SettingsFile {
  readonly #path: string;
  readonly #fixed: FixedSettings;
  #own: Settings;

  constructor(folder: string, fixed: FixedSettings, defaults = defaultSettings) {
    this.#path = join(folder, 'settings.json');
    this.#fixed = fixed;
    this.#own = read(this.#path, defaults);
  }

  get(): Settings {
    return { ...this.#own, ...this.#fixed.values };
  }

  policy(): Policy {
    const { values, wrong } = this.#fixed;
    return { fixed: Object.keys(values) as (keyof Settings)[], wrong };
  }

  /** Values that the policy fixes don't change. */
  save(settings: Settings): Settings {
    const unchanged = Object.fromEntries(this.policy().fixed.map((key) => [key, this.#own[key]]));
    const own: Settings = { ...settings, ...unchanged };
    writeWhole(this.#path, JSON.stringify(own, undefined, 2));
    this.#own = own;
    return this.get();
  }
}

function read(file: string, defaults: Settings): Settings {
  const found = readJson(file);
  let settings = defaults;
  if (typeof found !== 'object' || found === null) return settings;
  for (const key of Object.keys(defaultSettings)) {
    const candidate: unknown = { ...settings, [key]: (found as Record<string, unknown>)[key] };
    const verdict = settingsSchema(candidate);
    if (verdict.ok) settings = verdict.value;
  }
  return settings;
}

/** Regions with US Letter: Unicode CLDR, `paperSize`. */
const letterRegions = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ');

/** A4 elsewhere. `region` is ISO 3166; empty where the system names none, as Linux often does. */
export function paperOf(region: string, locale: string): Settings['paper'] {
  const known = region || (new Intl.Locale(locale).maximize().region ?? '');
  return letterRegions.includes(known.toUpperCase()) ? 'letter' : 'a4';
}

export function nextZoom(zoom: number, step: ZoomStep): number {
  switch (step) {
    case 'in':
      return ZOOMS.find((one) => one > zoom) ?? zoom;
    case 'out':
      return ZOOMS.findLast((one) => one < zoom) ?? zoom;
    case 'reset':
      return 100;
  }
}
