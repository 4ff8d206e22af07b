import { settingNames, settings } from './service-config.ts';

/** The settings as a markdown table, for docs/configuration.md. */
export function configurationTable(): string {
  const rows = settingNames.map((name) => {
    const { variable, flag, required, fallback = '', parse, about } = settings[name];
    const written = required ? 'required' : fallback === '' ? 'none' : `\`${fallback}\``;
    return [
      `\`${variable}\``,
      flag === undefined ? '' : `\`${flag}\``,
      written,
      parse.expects,
      about,
    ];
  });
  const header = ['variable', 'flag', 'default', 'value', 'description'];
  const table = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  const lines = table.map((row) => line(row.map((cell, i) => cell.padEnd(widths[i] ?? 0))));
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
