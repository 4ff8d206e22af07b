import { waysInTurn } from '../../testing/by-turns.testing.ts';
import { areFound } from './forgeries.testing.ts';
import { forgeries } from './forging.testing.ts';

areFound(waysInTurn('postgres', Object.keys(forgeries)), 4);
