import { expect, it } from '@jest/globals';
import { describeFailure } from './report-failure.ts';

it('reports where the page threw, without the message', () => {
  const error = new TypeError('Cannot read Ada Example, MRN-000001');
  error.stack = [
    'TypeError: Cannot read Ada Example, MRN-000001',
    '    at Header (caregate://app/assets/shell-Bq3x.js:12:3456)',
    '    at caregate://app/assets/index-9f.js:1:2',
    '    at new Promise (<anonymous>)',
  ].join('\n');
  expect(describeFailure(error)).toEqual({
    name: 'TypeError',
    places: ['shell-Bq3x.js:12:3456', 'index-9f.js:1:2'],
  });
  expect(describeFailure('Ada Example')).toEqual({ name: 'string', places: [] });
});
