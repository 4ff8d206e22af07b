import { share } from '@caregate/seeded/seed';
import { forgeries, tableForgeries } from '@caregate/audit-log/testing';
import { areFound } from './forged-readers.testing.ts';
import { areFoundInTables } from './forged-tables.testing.ts';

areFound([
  ...share(Object.keys(forgeries), 6),
  // Early months that were deleted.
  'remove the first files of records',
]);
areFoundInTables([
  ...share(Object.keys(tableForgeries), 6),
  'the records of the end are deleted',
  'a record stands beside another team',
]);
