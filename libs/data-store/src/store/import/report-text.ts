import { KINDS, type ImportReport, type Kind, type Reason } from './import-types.ts';

const names: Readonly<Record<Kind, string>> = {
  user: 'users',
  user_info: 'user infos',
  order: 'orders',
  lab_result: 'lab results',
  insurance: 'insurances',
  mindfulness_minutes: 'mindfulness minutes',
};

export function summaryText(report: ImportReport, seconds: number): string {
  const lines = KINDS.filter((kind) => sum(report, kind) > 0).map((kind) => {
    const { added, updated, unchanged } = report.counts[kind];
    return `  ${names[kind].padEnd(20)} ${number(added)} added, ${number(updated)} updated, ${number(unchanged)} unchanged`;
  });
  const skipped = report.refused.count > 0 ? `, ${number(report.refused.count)} refused` : '';
  const first = `${report.file}: ${number(report.lines)} lines in ${seconds.toFixed(1)} s${skipped}`;
  return [first, ...lines].join('\n');
}

/** Describes an import as JSON for programs. */
export function describeReport(report: ImportReport, seconds: number): object {
  const { file, imported, lines, counts, refused, teams, warnings } = report;
  return {
    ...{ file, imported, lines, seconds: Number(seconds.toFixed(3)), teams, counts },
    refused: {
      count: refused.count,
      first: refused.first.map(({ line, reasons }) => ({ line, reasons })),
    },
    warnings: warnings.count,
  };
}

export function problemsText(report: ImportReport, skips: boolean): string {
  const { refused, warnings } = report;
  const lines: string[] = [];
  for (const { file, line, reasons } of refused.first) {
    lines.push(...reasons.map((reason) => `${file}:${line}: ${formatReason(reason)}`));
  }
  if (refused.count > refused.first.length) {
    const more = number(refused.count - refused.first.length);
    lines.push(`${report.file}: and ${more} more invalid lines`);
  }
  lines.push(
    ...warnings.first.map(
      (warning) => `${warning.file}:${warning.line}: warning: ${formatReason(warning)}`,
    ),
  );
  if (warnings.count > warnings.first.length) {
    lines.push(
      `${report.file}: and ${number(warnings.count - warnings.first.length)} more warnings`,
    );
  }
  if (refused.count > 0) {
    lines.push(skips ? skippedText(report) : refusedText(report));
  }
  return lines.join('\n');
}

function skippedText({ file, refused, lines }: ImportReport): string {
  return `${file}: ${number(refused.count)} of ${number(lines)} lines refused, the others imported`;
}

function refusedText({ file, refused, lines }: ImportReport): string {
  const wrong = refused.gaveUp
    ? `${number(refused.count)} of the first ${number(lines)} lines are invalid, so reading stopped there`
    : `${number(refused.count)} of ${number(lines)} lines ${refused.count === 1 ? 'is' : 'are'} invalid`;
  return `${file}: refused: ${wrong}. Nothing was imported from this file. To import the valid lines, use --skip-invalid FILE.`;
}

function formatReason({ path, message }: Reason): string {
  return path === '' ? `the line ${message}` : `${path}: ${message}`;
}

function sum(report: ImportReport, kind: Kind): number {
  const { added, updated, unchanged } = report.counts[kind];
  return added + updated + unchanged;
}

const number = (count: number): string => count.toLocaleString('en-US');
