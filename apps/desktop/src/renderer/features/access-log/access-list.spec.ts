import { expect, it } from '@jest/globals';
import type { AuditRow } from '../../../shared/audit.ts';
import { foldSearches } from './access-list.tsx';

const record = (recordId: string, at: string, more: Partial<AuditRow> = {}): AuditRow => ({
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
    record('a', '40:58'),
    record('b', '40:01'),
    record('c', '39:59'),
    record('d', '39:50', { actor: { type: 'staff', id: 'noor' } }),
    record('e', '39:40', { decision: 'denied', actor: { type: 'staff', id: 'noor' } }),
    record('f', '39:30', { operation: 'resolveUser' }),
    record('g', '39:20', { operation: 'resolveUser' }),
    record('h', '39:10', { desk: 'Room 3' }),
    record('i', '39:05'),
    record('j', '39:00'),
  ];
  const entries = foldSearches(rows).map(({ row, count }) => [row.recordId, count]);
  expect(entries).toEqual([
    ['a', 2],
    ['c', 1],
    ['d', 1],
    ['e', 1],
    ['f', 1],
    ['g', 1],
    ['h', 1],
    ['i', 2],
  ]);
});
