import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, settingsSchema, ZOOMS } from '../../bridge/app-state.ts';
import type { Policy, Settings, ZoomStep } from '../../bridge/app-state.ts';
import type { FixedSettings } from './policy-file.ts';

/** The user's settings under the policy: nothing about patients, no key. */
export class SettingsFile {
  readonly #folder: string;
  readonly #fixed: FixedSettings;
  /** Without the policy. */
  #own: Settings;

  constructor(folder: string, fixed: FixedSettings, defaults = defaultSettings) {
    this.#folder = folder;
    this.#fixed = fixed;
    this.#own = read(join(folder, 'settings.json'), defaults);
  }

  get(): Settings {
    return { ...this.#own, ...this.#fixed.values };
  }

  policy(): Policy {
    const { values, wrong } = this.#fixed;
    return { fixed: Object.keys(values) as (keyof Settings)[], wrong };
  }

  /** Atomic. Values that the policy fixes don't change. */
  save(settings: Settings): Settings {
    const unchanged = Object.fromEntries(this.policy().fixed.map((key) => [key, this.#own[key]]));
    const own: Settings = { ...settings, ...unchanged };
    mkdirSync(this.#folder, { recursive: true });
    const half = join(this.#folder, 'settings.json.new');
    writeFileSync(half, JSON.stringify(own, undefined, 2), { mode: 0o600 });
    renameSync(half, join(this.#folder, 'settings.json'));
    this.#own = own;
    return this.get();
  }
}

/** Valid values of the file, defaults for the others. */
function read(file: string, defaults: Settings): Settings {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return defaults;
  }
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

/** `region` is ISO 3166; A4 elsewhere. */
export function paperOf(region: string): Settings['paper'] {
  return letterRegions.includes(region.toUpperCase()) ? 'letter' : 'a4';
}

/** In per cent, within the limits. */
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
