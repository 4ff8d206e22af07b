import { expect, it } from '@jest/globals';
import { keyOfRequest } from './key-format.ts';

const name = 'x-service-api-key';

it.each<[unknown, readonly string[]]>([
  [{ text: 'k' }, ['host', 'x', 'X-Service-API-Key', 'k']],
  ['missing', []],
  ['missing', ['a', name, 'b', name]],
  // Empty is not missing.
  [{ text: '' }, [name, '']],
  ['repeated', [name, 'k', 'host', 'x', 'X-SERVICE-API-KEY', 'k']],
])('the key of a request is %j in the headers %j', (expected, rawHeaders) => {
  expect(keyOfRequest(rawHeaders)).toEqual(expected);
});
