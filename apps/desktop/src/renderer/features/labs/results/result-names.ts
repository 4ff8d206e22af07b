import {
  type BiomarkerResult,
  hasSubIds,
  type Panel,
  readPanel,
  readSubId,
} from '@caregate/domain';
import type { Text } from '../../../i18n/text.tsx';

export type GetName = (result: BiomarkerResult) => string;

/**
 * Returns names that are unique in the report. A name includes the panel if several panels have a test of that name,
 * and the sub-ID if the report has sub-IDs.
 */
export function createGetName(results: readonly BiomarkerResult[], text: Text): GetName {
  const withSubIds = hasSubIds(results);
  const panels = groupPanelsByName(results);
  return (result) => {
    const inPanels = panels.get(normalizeName(result)) ?? [];
    const panel = inPanels.length > 1 ? formatPanelName(readPanel(result), inPanels) : undefined;
    const id = withSubIds ? readSubId(result) : undefined;
    const name =
      panel === undefined
        ? result.name
        : text('labs.inPanel', { name: isolate(result.name), panel: isolate(panel) });
    return id === undefined ? name : text('labs.inGroup', { name: isolate(name), id: isolate(id) });
  };
}

function groupPanelsByName(results: readonly BiomarkerResult[]): Map<string, Panel[]> {
  const found = new Map<string, Panel[]>();
  for (const result of results) {
    const panels = found.get(normalizeName(result)) ?? [];
    const panel = readPanel(result) ?? {};
    if (!panels.some((other) => JSON.stringify(other) === JSON.stringify(panel))) {
      panels.push(panel);
    }
    found.set(normalizeName(result), panels);
  }
  return found;
}

function normalizeName({ name }: BiomarkerResult): string {
  return name.trim().toLowerCase();
}

/** Adds the laboratory's number if the report has this panel several times. */
export function formatPanelName(
  panel: Panel | undefined,
  others: readonly Panel[],
): string | undefined {
  const label = getPanelLabel(panel);
  const isRepeated = others.filter((other) => getPanelLabel(other) === label).length > 1;
  return isRepeated && panel?.number !== undefined
    ? `${label ?? ''} ${panel.number}`.trim()
    : label;
}

export function getPanelLabel(panel: Panel | undefined): string | undefined {
  return panel?.name ?? panel?.code;
}

function isolate(part: string): string {
  return `\u2068${part}\u2069`;
}
