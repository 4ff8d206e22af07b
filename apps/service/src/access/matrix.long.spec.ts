import './matrix.spec.ts';
