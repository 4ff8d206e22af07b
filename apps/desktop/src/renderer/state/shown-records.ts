import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CopiedFrom } from '../../bridge/print.ts';
import { useNavigation } from './navigation.tsx';

/** As many as a desk event takes. */
const most = 200;

/** Every other screen is no document of its own. */
const documents: Readonly<Record<string, CopiedFrom['document']>> = {
  insurance: 'insurance',
  labs: 'lab_report',
  activity: 'activity',
  accesses: 'disclosures',
};

/** What the screen shows now and of which answers, to be named when something of it is copied. */
export function useShown(): () => CopiedFrom {
  const queries = useQueryClient();
  const { screen } = useNavigation();
  return useCallback(() => {
    // Also those that are asked for by hand alone, which the cache doesn't call active.
    const watched = queries
      .getQueryCache()
      .findAll()
      .filter((query) => query.getObserversCount() > 0);
    const ids = new Set(watched.flatMap(({ state }) => auditIdsIn(state.data)));
    return { document: documents[screen] ?? 'screen', recordIds: [...ids].slice(0, most) };
  }, [queries, screen]);
}

/** Of an answer, or of one that came in pages. */
function auditIdsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const { auditId, pages } = data as { readonly auditId?: unknown; readonly pages?: unknown };
  return [
    ...(typeof auditId === 'string' ? [auditId] : []),
    ...(Array.isArray(pages) ? pages.flatMap(auditIdsIn) : []),
  ];
}
