import { describe, expect, it } from '@jest/globals';
import { phoneText } from './phone.ts';

describe('a phone number', () => {
  it.each([
    ['+12125550123', '(212) 555-0123'],
    ['+1 212-555-0123 ext. 5', '(212) 555-0123 ext. 5'],
    ['+442079460018', '+44 20 7946 0018'],
    ['+34912345678', '+34 912 34 56 78'],
    // Nobody knows of which country it is, or it is none.
    ['2125550123', '2125550123'],
    ['ask the front desk', 'ask the front desk'],
    ['', ''],
  ])('%j is written %j', (written, shown) => {
    expect(phoneText(written)).toBe(shown);
  });
});
