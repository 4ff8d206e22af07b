export default { preset: '../../jest.preset.js', roots: ['<rootDir>/src'], testTimeout: 20_000 };
