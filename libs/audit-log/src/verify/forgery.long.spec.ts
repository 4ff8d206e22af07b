import { forgeries } from './forgeries.testing.ts';
import { areFound } from './forgery.testing.ts';

areFound(Object.keys(forgeries), 8);
