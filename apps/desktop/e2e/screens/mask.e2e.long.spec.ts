import './mask.e2e.spec.ts';
