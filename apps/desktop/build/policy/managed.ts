import { settingsSchema } from '../../src/bridge/app-state.ts';
import type { Settings } from '../../src/bridge/app-state.ts';
import type { JsonSchema } from '../../src/bridge/json-schema.ts';
import { settingTexts } from './texts.ts';

/** A setting that an administrator can fix: its rule from the program's own schema, its words from the texts. */
export interface ManagedSetting {
  readonly name: keyof Settings;
  readonly rule: JsonSchema;
  readonly title: string;
  readonly help: string;
  readonly example: unknown;
}

/** All of them, in the order of the schema. @throws Error where the program's schema has no JSON Schema of its own */
export function managedSettings(): ManagedSetting[] {
  const rules = settingsSchema.json?.properties;
  if (rules === undefined) throw new Error('The settings have no JSON Schema.');
  return Object.entries(rules).map(([key, rule]) => {
    const name = key as keyof Settings;
    return { name, rule, ...settingTexts[name] };
  });
}

/** The schema of the policy file, for editors and checks. */
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

/** One row a setting, for the documentation. */
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

/** Text as it stands in an element or a quoted attribute. */
export function xml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/gu, (one) => names[one] ?? one);
}
