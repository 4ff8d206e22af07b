import './states.e2e.spec.ts';
