export default {
  access: {
    project: 'apps/service',
    mutate: ['src/auth/**/*.ts', 'src/operations/permission-table.ts', '!src/auth/postgres/**'],
    specs: ['src/access', 'src/operations'],
    leaveOut: ['/access/postgres/'],
    globals: { onlyEngine: 'SQLite' },
  },
  verify: {
    project: 'libs/audit-log',
    mutate: ['src/verify-log.ts', 'src/tree.ts'],
    specs: ['src'],
    leaveOut: ['/src/(?!tree|record|checkpoint|forgeries)[a-z-]+\\.spec\\.ts$'],
  },
};
