import { forgeries, tableForgeries } from '@caregate/audit-log/testing';
import { areFound } from './forged-readers.testing.ts';
import { areFoundInTables } from './forged-tables.testing.ts';

areFound(Object.keys(forgeries));
areFoundInTables(Object.keys(tableForgeries));
