import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Policy, Settings } from '../../shared/app-state.ts';
import { settingsSchema } from '../../shared/requests.ts';

export interface FixedSettings {
  readonly values: Partial<Settings>;
  readonly wrong: Policy['wrong'];
}

export function getPolicyPath(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (platform === 'win32') {
    return `${env['ProgramData'] ?? 'C:\\ProgramData'}\\Caregate\\desktop-policy.json`;
  }
  return platform === 'darwin'
    ? '/Library/Application Support/Caregate/desktop-policy.json'
    : '/etc/caregate/desktop-policy.json';
}

/** Reads the policy. Invalid entries are ignored, and their names are reported. */
export function readPolicy(file: string): FixedSettings {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code !== 'ENOENT';
    return { values: {}, wrong: exists ? ['*'] : [] };
  }
  try {
    return readFixed(JSON.parse(content));
  } catch {
    return readFixed(undefined);
  }
}

function readFixed(found: unknown): FixedSettings {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    return { values: {}, wrong: ['*'] };
  }
  const entries = Object.entries(found as Record<string, unknown>);
  const { entries: schemas } = settingsSchema;
  const valid = entries.filter(
    ([key, value]) =>
      Object.hasOwn(schemas, key) && v.is(schemas[key as keyof typeof schemas], value),
  );
  const invalid = entries.filter((entry) => !valid.includes(entry));
  return {
    values: Object.fromEntries(valid),
    wrong: invalid.slice(0, 100).map(([key]) => (key === '' ? '*' : key.slice(0, 100))),
  };
}
