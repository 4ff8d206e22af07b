import { walkDay } from './walk-day.testing.ts';

walkDay('keys');
walkDay('pointer');
