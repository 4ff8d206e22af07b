import './people-states.e2e.spec.ts';
