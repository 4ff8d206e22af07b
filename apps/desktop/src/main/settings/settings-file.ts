import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, settingsSchema } from '../../bridge/app-state.ts';
import type { Settings } from '../../bridge/app-state.ts';

/** The settings of this computer's user: nothing about patients, and no key. */
export class SettingsFile {
  readonly #folder: string;
  #settings: Settings;

  constructor(folder: string) {
    this.#folder = folder;
    this.#settings = read(join(folder, 'settings.json'));
  }

  get(): Settings {
    return this.#settings;
  }

  /** Written whole or not at all. */
  save(settings: Settings): Settings {
    mkdirSync(this.#folder, { recursive: true });
    const half = join(this.#folder, 'settings.json.new');
    writeFileSync(half, JSON.stringify(settings, undefined, 2), { mode: 0o600 });
    renameSync(half, join(this.#folder, 'settings.json'));
    this.#settings = settings;
    return settings;
  }
}

/** Settings of an older version lack fields, a hand-edited file may hold anything: what is right is taken. */
function read(file: string): Settings {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return defaultSettings;
  }
  let settings = defaultSettings;
  if (typeof found !== 'object' || found === null) return settings;
  for (const key of Object.keys(defaultSettings)) {
    const candidate: unknown = { ...settings, [key]: (found as Record<string, unknown>)[key] };
    const verdict = settingsSchema(candidate);
    if (verdict.ok) settings = verdict.value;
  }
  return settings;
}
