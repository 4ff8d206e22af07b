import { KINDS, type ImportReport, type Kind, type Reason } from './import-types.ts';

const names: Readonly<Record<Kind, string>> = {
  user: 'users',
  user_info: 'user infos',
  order: 'orders',
  lab_result: 'lab results',
  insurance: 'insurances',
  mindfulness_minutes: 'mindfulness minutes',
};

export function formatSummary(report: ImportReport, seconds: number): string {
  const lines = KINDS.filter((kind) => sum(report, kind) > 0).map((kind) => {
    const { added, updated, unchanged } = report.counts[kind];
    return `  ${names[kind].padEnd(20)} ${formatNumber(added)} added, ${formatNumber(updated)} updated, ${formatNumber(unchanged)} unchanged`;
  });
  const skipped = report.refused.count > 0 ? `, ${formatNumber(report.refused.count)} refused` : '';
  const first = `${report.file}: ${formatNumber(report.lines)} lines in ${seconds.toFixed(1)} s${skipped}`;
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

export function formatProblems(report: ImportReport, skipsInvalid: boolean): string {
  const { refused, warnings } = report;
  const moreRefused = refused.count - refused.first.length;
  const moreWarnings = warnings.count - warnings.first.length;
  const lines = [
    ...refused.first.flatMap(({ file, line, reasons }) =>
      reasons.map((reason) => `${file}:${line}: ${formatReason(reason)}`),
    ),
    moreRefused > 0 && `${report.file}: and ${formatNumber(moreRefused)} more invalid lines`,
    ...warnings.first.map(
      (warning) => `${warning.file}:${warning.line}: warning: ${formatReason(warning)}`,
    ),
    moreWarnings > 0 && `${report.file}: and ${formatNumber(moreWarnings)} more warnings`,
    refused.count > 0 && (skipsInvalid ? formatSkipped(report) : formatRefused(report)),
  ];
  return lines.filter((line) => line !== false).join('\n');
}

function formatSkipped({ file, refused, lines }: ImportReport): string {
  return `${file}: ${formatNumber(refused.count)} of ${formatNumber(lines)} lines refused, the others imported`;
}

function formatRefused({ file, refused, lines }: ImportReport): string {
  const wrong = refused.gaveUp
    ? `${formatNumber(refused.count)} of the first ${formatNumber(lines)} lines are invalid, so reading stopped there`
    : `${formatNumber(refused.count)} of ${formatNumber(lines)} lines ${refused.count === 1 ? 'is' : 'are'} invalid`;
  return `${file}: refused: ${wrong}. Nothing was imported from this file. To import the valid lines, use --skip-invalid FILE.`;
}

function formatReason({ path, message }: Reason): string {
  return path === '' ? `the line ${message}` : `${path}: ${message}`;
}

function sum(report: ImportReport, kind: Kind): number {
  const { added, updated, unchanged } = report.counts[kind];
  return added + updated + unchanged;
}

const formatNumber = (count: number): string => count.toLocaleString('en-US');
