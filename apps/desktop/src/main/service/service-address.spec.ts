import { describe, expect, it } from '@jest/globals';
import { parseServiceAddress } from './service-address.ts';

describe('serviceAddress', () => {
  it.each([
    ['https://caregate.example', 'https://caregate.example'],
    ['https://caregate.example/', 'https://caregate.example'],
    ['  caregate.example ', 'https://caregate.example'],
    ['https://caregate.example:8443/health//', 'https://caregate.example:8443/health'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('takes %s', (typed, address) => {
    expect(parseServiceAddress(typed)).toEqual({ address });
  });

  it.each([
    ['http://caregate.example', 'insecureAddress'],
    ['http://127.0.0.1.evil.example', 'insecureAddress'],
    ['ftp://caregate.example', 'invalidAddress'],
    ['javascript://alert', 'invalidAddress'],
    ['file:///etc', 'invalidAddress'],
    ['https://user:secret@caregate.example', 'invalidAddress'],
    ['https://caregate.example/?a=1', 'invalidAddress'],
    ['https://caregate.example/#a', 'invalidAddress'],
    ['', 'invalidAddress'],
    ['two words', 'invalidAddress'],
  ])('refuses %s as %s', (typed, problem) => {
    expect(parseServiceAddress(typed)).toEqual({ problem });
  });
});
