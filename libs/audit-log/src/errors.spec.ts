import { expect, it } from '@jest/globals';
import { AuditBrokenError, packError, unpackError } from './errors.ts';

it('keeps class, message, code and place of an error between threads', () => {
  const pass = (error: Error): Error =>
    unpackError(structuredClone(packError(error)), [RangeError]);
  const refused = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
  expect(pass(refused)).toMatchObject({ message: 'connect failed', code: 'ECONNREFUSED' });
  expect(pass(new RangeError('No such record'))).toBeInstanceOf(RangeError);
  const broken = pass(new AuditBrokenError('altered', 'A record was altered', 7));
  expect(broken).toBeInstanceOf(AuditBrokenError);
  expect(broken).toMatchObject({ breach: 'altered', seq: 7 });
});
