import { settingNames, settings } from './service-config.ts';

export function configurationList(): string {
  return settingNames
    .map((name) => {
      const { variable, flag, required, fallback = '', parse, about } = settings[name];
      const names = flag === undefined ? `\`${variable}\`` : `\`${variable}\`, \`${flag}\``;
      const value = required ? `required, ${parse.expects}` : parse.expects;
      const byDefault = fallback === '' ? '' : `, default \`${fallback}\``;
      return `- ${names} (${value}${byDefault}): ${about}`;
    })
    .join('\n');
}
