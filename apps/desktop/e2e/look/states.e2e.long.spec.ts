import { walkedDesk, walkStates } from '../support/walked-states.testing.ts';

walkStates(walkedDesk(), (names) => names);
