import { share } from '@caregate/seeded/seed';
import { forgeries } from '@caregate/audit-log/testing';
import { areFound } from './forged-readers.testing.ts';

areFound([
  ...share(Object.keys(forgeries), 6),
  // Early months that were deleted.
  'remove the first files of records',
]);
