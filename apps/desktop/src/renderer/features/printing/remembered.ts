import { useMemo } from 'react';
import type { RememberedPrints } from '../../../shared/app-state.ts';
import { LABEL_SIZES } from '../../../shared/print-kinds.ts';
import type { Paper, PrintKind } from '../../../shared/print-kinds.ts';
import { useSettings } from '../../api/app-state.ts';

export type RememberedDocument = RememberedPrints['documents'][number];
export type RememberedLabel = NonNullable<RememberedPrints['label']>;

export function useRemembered(kind: PrintKind): RememberedDocument | undefined {
  return useSettings().prints.documents.find((one) => one.kind === kind);
}

/** Returns the paper of the last print of this kind, or else the default paper. */
export function usePaper(kind: PrintKind): Paper {
  const { paper } = useSettings();
  return useRemembered(kind)?.paper ?? paper;
}

export function useRememberedLabel(): RememberedLabel | undefined {
  const { prints } = useSettings();
  const sizes = useLabelSizes();
  const { label } = prints;
  // The policy may no longer have this size.
  return label !== undefined && sizes.includes(label.size) ? label : undefined;
}

export function useLabelSizes(): readonly string[] {
  const { labelSizes } = useSettings();
  return useMemo(() => [...new Set([...LABEL_SIZES, ...labelSizes])], [labelSizes]);
}

// If saving fails, the next print asks for the same choices again.
export async function rememberDocument(document: RememberedDocument): Promise<void> {
  await window.caregate.changeSettings({ document });
}

export async function rememberLabel(label: RememberedLabel): Promise<void> {
  await window.caregate.changeSettings({ label });
}
