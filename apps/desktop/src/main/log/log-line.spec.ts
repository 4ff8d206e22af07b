import { describe, expect, it } from '@jest/globals';
import { formatLogLine, redact } from './log-line.ts';

describe('redact', () => {
  it.each([
    ['key cg_live_Ynhiw0kgz9sa_abcDEF012 given', 'key [key] given'],
    ['GET https://caregate.example/v2/user/resolve/MRN-000101 failed', 'GET [address] failed'],
    ['user 78aee2a5-6cc9-4906-a5f3-4f06394ed100', 'user [id]'],
    ['client MRN-000101', 'client [number]'],
    ['mail amara@example.org', 'mail [e-mail]'],
    ['born 1985-03-07, 7/3/1985, 7.3.1985 or 7/3/85', 'born [date], [date], [date] or [date]'],
    ['at=index-Bq.js:12:34567 of MRN-000101', 'at=index-Bq.js:12:34567 of [number]'],
    ['electron=33.2.1', 'electron=33.2.1'],
    ['channel=resolveUser why=sender', 'channel=resolveUser why=sender'],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

describe('a line of the log', () => {
  it('contains the event and its redacted details', () => {
    const details = { why: 'request', channel: 'MRN-000101' };
    expect(formatLogLine('call-refused', details)).toBe(
      'call-refused why=request channel=[number]',
    );
    expect(formatLogLine('locked', {})).toBe('locked');
  });
});
