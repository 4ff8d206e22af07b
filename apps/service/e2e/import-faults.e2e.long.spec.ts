import './import-faults.e2e.spec.ts';
