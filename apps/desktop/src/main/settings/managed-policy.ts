import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { settingsSchema } from '../../bridge/app-state.ts';
import type { JsonSchema } from '../../bridge/json-schema.ts';

/** What the system's own management (group policy, a profile) says of settings, before it is checked. */
export type ManagedValues = Readonly<Record<string, unknown>>;

/** Runs a program of the system and gives what it printed. @throws Error where it fails */
type Run = (program: string, words: readonly string[]) => string;

const registryKey = 'HKLM\\SOFTWARE\\Policies\\Caregate\\Desktop';
/** Written by the system alone; what `defaults write` changes is another file, of the user. */
const managedPreferences = '/Library/Managed Preferences/app.caregate.desktop.plist';

/** What this computer's management fixes; nothing where there is none, null where it can't be read. */
export function readManaged(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  run: Run = runHere,
): ManagedValues | null {
  if (platform === 'win32') {
    // By its whole path: a program of this name elsewhere in the PATH isn't the system's.
    const registry = join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe');
    try {
      return fromRegistry(run(registry, ['query', registryKey, '/reg:64']));
    } catch {
      // Where there is no such key, reg ends with 1, as it does where it can't read: the file's values hold.
      return {};
    }
  }
  if (platform !== 'darwin' || !existsSync(managedPreferences)) return {};
  try {
    return fromPreferences(
      run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', managedPreferences]),
    );
  } catch {
    return null;
  }
}

/** What `reg query` prints: four spaces, a name, a type, a value on each line. */
export function fromRegistry(printed: string): ManagedValues {
  const found: [string, unknown][] = [];
  for (const line of printed.split(/\r?\n/u)) {
    const [, name, type, text = ''] = /^ {4}(\S+) {4}(REG_\w+)(?: {4}(.*))?$/u.exec(line) ?? [];
    if (name !== undefined) found.push([name, valueOf(type, text, ruleOf(name))]);
  }
  return Object.fromEntries(found);
}

/** The values of a profile, as `plutil` has them; management adds names of its own. */
export function fromPreferences(json: string): ManagedValues {
  const found = JSON.parse(json) as Record<string, unknown>;
  const own = Object.entries(found).filter(([name]) => !name.startsWith('Payload'));
  return Object.fromEntries(
    own.map(([name, value]) => [
      name,
      ruleOf(name)?.type === 'object' && typeof value === 'string' ? parsed(value) : value,
    ]),
  );
}

function valueOf(type: string | undefined, text: string, rule: JsonSchema | undefined): unknown {
  if (type === 'REG_DWORD') {
    const number = Number(text);
    return rule?.type === 'boolean' && number <= 1 ? number === 1 : number;
  }
  if (type === 'REG_MULTI_SZ') {
    // reg prints the ends of the single texts as \0.
    return text === '' ? [] : text.split('\\0').filter((one) => one !== '');
  }
  return rule?.type === 'object' ? parsed(text) : text;
}

function ruleOf(name: string): JsonSchema | undefined {
  const rules = settingsSchema.json?.properties ?? {};
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Refused, and named, as whatever else isn't right.
    return undefined;
  }
}

function runHere(program: string, words: readonly string[]): string {
  return execFileSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
}
