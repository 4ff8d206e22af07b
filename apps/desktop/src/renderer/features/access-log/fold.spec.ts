import { expect, it } from '@jest/globals';
import type { AuditRow } from '../../../shared/audit.ts';
import { foldedSearches } from './fold.ts';

const row = (recordId: string, at: string, more: Partial<AuditRow> = {}): AuditRow => ({
  recordId,
  occurredAt: `2026-11-24T09:${at}.000Z`,
  actor: { type: 'staff', id: 'ilse' },
  operation: 'searchPeople',
  decision: 'allowed',
  emergency: false,
  patients: [],
  details: [],
  ...more,
});

it('folds the searches of one person in one minute, and nothing else', () => {
  const rows = [
    row('a', '40:58'),
    row('b', '40:01'),
    row('c', '39:59'),
    row('d', '39:50', { actor: { type: 'staff', id: 'noor' } }),
    row('e', '39:40', { decision: 'denied', actor: { type: 'staff', id: 'noor' } }),
    row('f', '39:30', { operation: 'resolveUser' }),
    row('g', '39:20', { operation: 'resolveUser' }),
    row('h', '39:10', { desk: 'Room 3' }),
    row('i', '39:05'),
    row('j', '39:00'),
  ];
  const groups = foldedSearches(rows).map((group) =>
    group.map(({ recordId }) => recordId).join(''),
  );
  expect(groups).toEqual(['ab', 'c', 'd', 'e', 'f', 'g', 'h', 'ij']);
});
