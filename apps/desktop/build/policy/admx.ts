import type { JsonSchema } from '../../src/bridge/schema.ts';
import { managedSettings, xml } from './managed.ts';
import type { ManagedSetting } from './managed.ts';

/** In HKEY_LOCAL_MACHINE alone: only an administrator writes there. */
const key = 'SOFTWARE\\Policies\\Caregate\\Desktop';

/** https://learn.microsoft.com/previous-versions/windows/desktop/Policy/admx-schema */
export function admx(): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="caregate" namespace="Caregate.Policies.Desktop" />
    <using prefix="windows" namespace="Microsoft.Policies.Windows" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <categories>
    <category name="Caregate" displayName="$(string.Caregate)" />
  </categories>
  <policies>
${managedSettings().map(policy).join('\n')}
  </policies>
</policyDefinitions>
`;
}

export function adml(): string {
  const settings = managedSettings();
  const strings = settings.flatMap(({ name, rule, title, help }) => [
    `      <string id="${name}">${xml(title)}</string>`,
    `      <string id="${name}_help">${xml(help)}</string>`,
    ...(rule.enum ?? []).map(
      (value) => `      <string id="${name}_${value}">${xml(value)}</string>`,
    ),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>Caregate desktop</displayName>
  <description>What an administrator fixes for the desks of a clinic</description>
  <resources>
    <stringTable>
      <string id="Caregate">Caregate</string>
${strings.join('\n')}
    </stringTable>
    <presentationTable>
${settings.map(presentation).filter(Boolean).join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

function policy({ name, rule }: ManagedSetting): string {
  const isSwitch = rule.type === 'boolean';
  const start = `    <policy name="${name}" class="Machine" displayName="$(string.${name})" explainText="$(string.${name}_help)" key="${key}"`;
  const shown = isSwitch ? ` valueName="${name}"` : ` presentation="$(presentation.${name})"`;
  const inside = isSwitch
    ? `      <enabledValue><decimal value="1" /></enabledValue>
      <disabledValue><decimal value="0" /></disabledValue>`
    : `      <elements>
        ${element(name, rule)}
      </elements>`;
  return `${start}${shown}>
      <parentCategory ref="Caregate" />
      <supportedOn ref="windows:SUPPORTED_Windows_10_0" />
${inside}
    </policy>`;
}

function element(name: string, rule: JsonSchema): string {
  const own = `id="${name}" valueName="${name}" required="true"`;
  if (rule.enum !== undefined) {
    const items = rule.enum.map(
      (value) =>
        `          <item displayName="$(string.${name}_${value})"><value><string>${value}</string></value></item>`,
    );
    return `<enum ${own}>\n${items.join('\n')}\n        </enum>`;
  }
  switch (rule.type) {
    case 'integer':
      return `<decimal ${own} minValue="${String(rule.minimum)}" maxValue="${String(rule.maximum)}" />`;
    case 'array':
      return `<multiText ${own} />`;
    case 'object':
      return `<text ${own} maxLength="16384" />`;
    case 'boolean':
    case 'string':
      return `<text ${own} maxLength="${String(rule.maxLength ?? 1023)}" />`;
  }
}

function presentation({ name, rule, title }: ManagedSetting): string {
  const label = xml(title);
  const control = (): string => {
    if (rule.enum !== undefined) return `<dropdownList refId="${name}">${label}</dropdownList>`;
    if (rule.type === 'integer') return `<decimalTextBox refId="${name}">${label}</decimalTextBox>`;
    if (rule.type === 'array') return `<multiTextBox refId="${name}">${label}</multiTextBox>`;
    return `<textBox refId="${name}"><label>${label}</label></textBox>`;
  };
  if (rule.type === 'boolean') return '';
  return `      <presentation id="${name}">${control()}</presentation>`;
}
