import { isEndedByTheSameCommand } from './accept-break-stopped.testing.ts';

isEndedByTheSameCommand(3);
