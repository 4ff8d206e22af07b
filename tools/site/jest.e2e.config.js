export default { preset: '../../jest.preset.js', roots: ['<rootDir>/e2e'] };
