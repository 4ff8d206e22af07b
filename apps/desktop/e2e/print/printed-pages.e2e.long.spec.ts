import './printed-pages.e2e.spec.ts';
