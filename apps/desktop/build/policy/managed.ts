import { settingsSchema } from '../../src/bridge/app-state.ts';
import type { Settings } from '../../src/bridge/app-state.ts';
import type { JsonSchema } from '../../src/bridge/schema.ts';
import texts from './texts.json' with { type: 'json' };

const settingTexts: Readonly<
  Record<keyof Settings, Pick<ManagedSetting, 'title' | 'help' | 'example'>>
> = texts;

export interface ManagedSetting {
  readonly name: keyof Settings;
  readonly rule: JsonSchema;
  readonly title: string;
  readonly help: string;
  readonly example: unknown;
}

/** In the order of the schema. @throws Error where the schema has no JSON Schema */
export function managedSettings(): ManagedSetting[] {
  const rules = settingsSchema.json?.properties;
  if (rules === undefined) throw new Error('The settings have no JSON Schema.');
  return Object.entries(rules).map(([key, rule]) => {
    const name = key as keyof Settings;
    return { name, rule, ...settingTexts[name] };
  });
}

export function policyFileSchema(): unknown {
  const properties = managedSettings().map(({ name, rule, title, help }) => [
    name,
    { title, description: help, ...rule },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policy of a Caregate desk',
    type: 'object',
    properties: Object.fromEntries(properties) as unknown,
    additionalProperties: false,
  };
}

export function policyTable(): string {
  const rows = managedSettings().map(
    ({ name, rule, title, help, example }) =>
      `| \`${name}\` | ${title} | ${valuesOf(rule)} | ${help} | \`${JSON.stringify(example)}\` |`,
  );
  return ['| setting | is | values | means | example |', '| - | - | - | - | - |', ...rows].join(
    '\n',
  );
}

function valuesOf(rule: JsonSchema): string {
  switch (rule.type) {
    case 'string':
      if (rule.enum !== undefined) return rule.enum.map((value) => `\`${value}\``).join(', ');
      return rule.maxLength === undefined ? 'text' : `text, at most ${String(rule.maxLength)}`;
    case 'integer':
      return `${String(rule.minimum)} to ${String(rule.maximum)}`;
    case 'boolean':
      return '`true`, `false`';
    case 'array':
      return `list of at most ${String(rule.maxItems)}`;
    case 'object':
      return 'object; in the registry and in profiles its JSON as text';
  }
}

export function xml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/gu, (one) => names[one] ?? one);
}
