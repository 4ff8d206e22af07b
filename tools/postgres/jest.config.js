export default { preset: '../../jest.preset.js', roots: ['<rootDir>/src'], testTimeout: 60_000 };
