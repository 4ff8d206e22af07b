import { walkedDesk } from '../support/state-walk.testing.ts';
import { walkStates } from '../support/walked-states.testing.ts';

walkStates(walkedDesk(), (names) => names);
