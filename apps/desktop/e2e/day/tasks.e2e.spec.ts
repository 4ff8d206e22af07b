import { seed } from '@caregate/seeded/seed';
import { walkDay } from './walk-day.testing.ts';

walkDay(seed % 2 === 0 ? 'keys' : 'pointer');
