import { useMemo } from 'react';
import type { RememberedPrints } from '../../bridge/app-state.ts';
import { LABEL_SIZES } from '../../bridge/print-kinds.ts';
import type { Paper, PrintKind } from '../../bridge/print-kinds.ts';
import { useSettings } from '../state/app-state.ts';
import { unwrap } from '../state/service-call.ts';

export type RememberedDocument = RememberedPrints['documents'][number];
export type RememberedLabel = NonNullable<RememberedPrints['label']>;

/** Where a kind of document went when it was last printed; undefined where it never was. */
export function useRemembered(kind: PrintKind): RememberedDocument | undefined {
  return useSettings().prints.documents.find((one) => one.kind === kind);
}

/** The paper to begin with: the one of the last print of this kind, else the usual one, else one that it fits on. */
export function usePaper(kind: PrintKind, papers: readonly Paper[]): Paper {
  const { paper: usual } = useSettings();
  const wanted = [useRemembered(kind)?.paper, usual];
  return wanted.find((one) => one !== undefined && papers.includes(one)) ?? papers[0] ?? 'a4';
}

export function useRememberedLabel(): RememberedLabel | undefined {
  const { prints } = useSettings();
  const sizes = useLabelSizes();
  const { label } = prints;
  // A size that the policy took back is none any more.
  return label !== undefined && sizes.includes(label.size) ? label : undefined;
}

/** The sizes that a label may have on this computer, the usual ones first. */
export function useLabelSizes(): readonly string[] {
  const { labelSizes } = useSettings();
  return useMemo(() => [...new Set([...LABEL_SIZES, ...labelSizes])], [labelSizes]);
}

/** Remembers where a document went. It spares a choice, and nothing more: where it can't be kept, nothing is said. */
export async function rememberDocument(one: RememberedDocument): Promise<void> {
  await remember(({ documents, ...rest }) => ({
    ...rest,
    documents: [...documents.filter(({ kind }) => kind !== one.kind), one],
  }));
}

export async function rememberLabel(label: RememberedLabel): Promise<void> {
  await remember((prints) => ({ ...prints, label }));
}

async function remember(change: (prints: RememberedPrints) => RememberedPrints): Promise<void> {
  try {
    // As they are now, and one window after the other: what another remembers stays.
    await navigator.locks.request('prints', async () => {
      const settings = await unwrap(window.caregate.settings({}));
      await unwrap(window.caregate.saveSettings({ ...settings, prints: change(settings.prints) }));
    });
  } catch {
    // The next print asks again.
  }
}
