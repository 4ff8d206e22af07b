import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { settingsSchema } from '../../bridge/app-state.ts';
import type { JsonSchema } from '../../bridge/schema.ts';

/** Unchecked values of group policy or a profile. */
export type ManagedValues = Readonly<Record<string, unknown>>;

type Run = (program: string, words: readonly string[]) => string;

const registryKey = 'HKLM\\SOFTWARE\\Policies\\Caregate\\Desktop';
/** Only the system writes it; `defaults write` changes a file of the user. */
const managedPreferences = '/Library/Managed Preferences/app.caregate.desktop.plist';

/** Empty if there is no management, null if it can't be read. */
export function readManaged(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  run: Run = runHere,
): ManagedValues | null {
  if (platform === 'win32') {
    // Absolute path: another reg.exe may be in PATH.
    const registry = join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe');
    try {
      return fromRegistry(run(registry, ['query', registryKey, '/reg:64']));
    } catch {
      // reg exits with 1 if the key is missing or can't be read.
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

export function fromRegistry(printed: string): ManagedValues {
  const found: [string, unknown][] = [];
  for (const line of printed.split(/\r?\n/u)) {
    const [, name, type, text = ''] = /^ {4}(\S+) {4}(REG_\w+)(?: {4}(.*))?$/u.exec(line) ?? [];
    if (name !== undefined) found.push([name, valueOf(type, text, ruleOf(name))]);
  }
  return Object.fromEntries(found);
}

/** Management adds names of its own. */
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
    // reg prints separators as \0.
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
    // Named as invalid later.
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
