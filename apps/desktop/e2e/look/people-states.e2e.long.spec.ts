import { walkPeopleStates } from '../support/walked-states.testing.ts';

walkPeopleStates((names) => names);
