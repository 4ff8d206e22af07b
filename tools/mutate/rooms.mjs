export default {
  auth: {
    project: 'apps/service',
    mutate: ['src/auth/**/*.ts', 'src/operations/permission-table.ts'],
    specs: ['src/auth', 'src/operations'],
    leaveOut: ['/auth/repositories/two-instances'],
    globals: { onlyEngine: 'SQLite' },
  },
  verify: {
    project: 'libs/audit-log',
    mutate: ['src/verify-log.ts', 'src/tree.ts'],
    specs: ['src'],
    leaveOut: ['/src/(?!tree|record|checkpoint|forgeries)[a-z-]+\\.spec\\.ts$'],
  },
};
