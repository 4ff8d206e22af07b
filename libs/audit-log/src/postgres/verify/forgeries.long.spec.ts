import { areFound } from './forgeries.testing.ts';
import { forgeries } from './forging.testing.ts';

areFound(Object.keys(forgeries), 12);
