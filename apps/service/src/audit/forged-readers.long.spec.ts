import { forgeries } from '@caregate/audit-log/testing';
import { areFound } from './forged-readers.testing.ts';

areFound(Object.keys(forgeries));
