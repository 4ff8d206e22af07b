import { managedSettings, xml } from './managed.ts';
import type { ManagedSetting } from './managed.ts';

const domain = 'app.caregate.desktop';

/** With all examples: https://developer.apple.com/documentation/devicemanagement/configuring-multiple-devices-using-profiles */
export function profile(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>PayloadType</key><string>Configuration</string>
    <key>PayloadVersion</key><integer>1</integer>
    <key>PayloadScope</key><string>System</string>
    <key>PayloadIdentifier</key><string>${domain}.profile</string>
    <key>PayloadUUID</key><string>7B1F4A52-6E0D-4B0E-9E0A-5B8C0E3D2F11</string>
    <key>PayloadDisplayName</key><string>Caregate desktop</string>
    <key>PayloadContent</key>
    <array>
      <dict>
        <key>PayloadType</key><string>${domain}</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>${domain}.settings</string>
        <key>PayloadUUID</key><string>3D9C2E47-0A6B-4B7E-8F5C-1C2D3E4F5A6B</string>
        <key>PayloadDisplayName</key><string>Caregate desktop</string>
${managedSettings().map(entry).join('\n')}
      </dict>
    </array>
  </dict>
</plist>
`;
}

function entry({ name, example, title }: ManagedSetting): string {
  return `        <!-- ${xml(title)} -->\n        <key>${name}</key>${value(example)}`;
}

function value(example: unknown): string {
  if (typeof example === 'boolean') return example ? '<true/>' : '<false/>';
  if (typeof example === 'number') return `<integer>${String(example)}</integer>`;
  if (Array.isArray(example)) return `<array>${example.map(value).join('')}</array>`;
  return `<string>${xml(typeof example === 'string' ? example : JSON.stringify(example))}</string>`;
}
