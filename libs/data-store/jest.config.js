export default { preset: '../../jest.preset.js', roots: ['<rootDir>/src'] };
