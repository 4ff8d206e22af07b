import { share } from '@caregate/seeded/seed';
import { forgeries, tableForgeries } from '@caregate/audit-log/testing';
import { areFound } from './forged-readers.testing.ts';
import { areFoundInTables } from './forged-tables.testing.ts';

// Early months that were deleted.
areFound(['remove the first files of records'], share(Object.keys(forgeries), 2));
areFoundInTables(
  ['the records of the end are deleted', 'a record stands beside another team'],
  share(Object.keys(tableForgeries), 2),
);
