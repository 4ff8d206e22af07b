import { killedRounds } from './audit-kill.testing.ts';

killedRounds(1);
