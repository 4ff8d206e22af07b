import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CopiedFrom } from '../../shared/print.ts';
import { useNavigation } from '../app/navigation.tsx';

const documents: Readonly<Record<string, CopiedFrom['document']>> = {
  insurance: 'insurance',
  labs: 'lab_report',
  accesses: 'disclosures',
};

export function useShown(): () => CopiedFrom {
  const queries = useQueryClient();
  const { screen } = useNavigation();
  return useCallback(() => {
    // The cache counts disabled queries as inactive, but they may be on the screen too.
    const watched = queries
      .getQueryCache()
      .findAll()
      .filter((query) => query.getObserversCount() > 0);
    const ids = new Set(watched.flatMap(({ state }) => collectAuditIds(state.data)));
    return { document: documents[screen] ?? 'screen', recordIds: [...ids] };
  }, [queries, screen]);
}

function collectAuditIds(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const { auditId, pages } = data as { readonly auditId?: unknown; readonly pages?: unknown };
  return [
    ...(typeof auditId === 'string' ? [auditId] : []),
    ...(Array.isArray(pages) ? pages.flatMap(collectAuditIds) : []),
  ];
}
