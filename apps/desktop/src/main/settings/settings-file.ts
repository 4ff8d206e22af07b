import { join } from 'node:path';
import * as v from 'valibot';
import { defaultSettings, ZOOMS } from '../../shared/app-state.ts';
import type { Policy, Settings, ZoomStep } from '../../shared/app-state.ts';
import { settingsSchema, type SettingsChange } from '../../shared/requests.ts';
import { readJson, writeAtomically } from '../files/atomic-file.ts';
import type { FixedSettings } from './policy-file.ts';

/** The user's settings, which the policy overrides. They include no patient data and no key. */
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

  getPolicy(): Policy {
    const { values, wrong } = this.#fixed;
    return { fixed: Object.keys(values) as (keyof Settings)[], wrong };
  }

  /** Changes the settings except those that the policy fixes. */
  change(values: Partial<Settings>): Settings {
    const { fixed } = this.getPolicy();
    const changeable = Object.entries(values).filter(
      ([key]) => !fixed.includes(key as keyof Settings),
    );
    const own = { ...this.#own, ...Object.fromEntries(changeable) };
    writeAtomically(this.#path, JSON.stringify(own, undefined, 2));
    this.#own = own;
    return this.get();
  }
}

function read(file: string, defaults: Settings): Settings {
  const found = Object(readJson(file)) as Record<string, unknown>;
  const valid = Object.entries(settingsSchema.entries).flatMap(([key, schema]) => {
    const parsed = v.safeParse(schema, found[key]);
    return parsed.success ? [[key, parsed.output] as const] : [];
  });
  return { ...defaults, ...Object.fromEntries(valid) };
}

/** Converts a change from the page into new values of the settings. */
export function applySettingsChange(
  { zoom, document, label, ...values }: SettingsChange,
  { zoom: currentZoom, prints }: Settings,
): Partial<Settings> {
  const { documents, label: currentLabel } = prints;
  return {
    ...values,
    ...(zoom !== undefined && { zoom: getNextZoom(currentZoom, zoom) }),
    ...((document !== undefined || label !== undefined) && {
      prints: {
        documents:
          document === undefined
            ? documents
            : [...documents.filter(({ kind }) => kind !== document.kind), document],
        label: label === undefined ? currentLabel : (label ?? undefined),
      },
    }),
  };
}

/** Regions that use US Letter, from `paperSize` of the Unicode CLDR. */
const letterRegions = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ');

/** `region` is an ISO 3166 code. It is empty if the system has none, as is common on Linux. */
export function choosePaper(region: string, locale: string): Settings['paper'] {
  const country = region || (new Intl.Locale(locale).maximize().region ?? '');
  return letterRegions.includes(country.toUpperCase()) ? 'letter' : 'a4';
}

function getNextZoom(zoom: number, step: ZoomStep): number {
  switch (step) {
    case 'in':
      return ZOOMS.find((one) => one > zoom) ?? zoom;
    case 'out':
      return ZOOMS.findLast((one) => one < zoom) ?? zoom;
    case 'reset':
      return 100;
  }
}
