import {
  type BiomarkerResult,
  hasSubIds,
  type Panel,
  readPanel,
  readSubId,
} from '@caregate/domain';
import type { Text } from '../../../i18n/text.tsx';

export type NameOf = (result: BiomarkerResult) => string;

/**
 * Returns names that are unique in the report: with the panel if several panels have a test of that name, and with the
 * sub-ID if results have sub-IDs.
 */
export function namesIn(results: readonly BiomarkerResult[], text: Text): NameOf {
  const withSubIds = hasSubIds(results);
  const panels = panelsByName(results);
  return (result) => {
    const inPanels = panels.get(nameText(result)) ?? [];
    const panel = inPanels.length > 1 ? panelName(readPanel(result), inPanels) : undefined;
    const id = withSubIds ? readSubId(result) : undefined;
    const name =
      panel === undefined
        ? result.name
        : text('labs.inPanel', { name: isolated(result.name), panel: isolated(panel) });
    return id === undefined
      ? name
      : text('labs.inGroup', { name: isolated(name), id: isolated(id) });
  };
}

function panelsByName(results: readonly BiomarkerResult[]): Map<string, Panel[]> {
  const found = new Map<string, Panel[]>();
  for (const result of results) {
    const panels = found.get(nameText(result)) ?? [];
    const panel = readPanel(result) ?? {};
    if (!panels.some((other) => JSON.stringify(other) === JSON.stringify(panel))) {
      panels.push(panel);
    }
    found.set(nameText(result), panels);
  }
  return found;
}

function nameText({ name }: BiomarkerResult): string {
  return name.trim().toLowerCase();
}

/** Includes the laboratory's number if the panel was done several times. */
export function panelName(panel: Panel | undefined, others: readonly Panel[]): string | undefined {
  const label = getLabel(panel);
  const isRepeated = others.filter((other) => getLabel(other) === label).length > 1;
  return isRepeated && panel?.number !== undefined
    ? `${label ?? ''} ${panel.number}`.trim()
    : label;
}

export function getLabel(panel: Panel | undefined): string | undefined {
  return panel?.name ?? panel?.code;
}

function isolated(part: string): string {
  return `\u2068${part}\u2069`;
}
