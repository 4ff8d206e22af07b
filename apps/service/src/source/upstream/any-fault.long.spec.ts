import { anyFaults } from './any-fault.testing.ts';

anyFaults(1000);
