import { share } from '@caregate/seeded/seed';
import { walkPeopleStates } from '../support/walked-states.testing.ts';

walkPeopleStates((names) => share(names, 4));
