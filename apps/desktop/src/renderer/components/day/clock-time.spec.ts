import { describe, expect, it } from '@jest/globals';
import { clockOf, clockTimeOf } from './clock-time.ts';

describe('a time as it is typed', () => {
  it.each([
    ['9', '09:00'],
    ['17', '17:00'],
    ['940', '09:40'],
    ['0940', '09:40'],
    ['9:40', '09:40'],
    ['9.40', '09:40'],
    [' 23h59 ', '23:59'],
    ['٩:٤٠', '09:40'],
    ['24:00', undefined],
    ['9:60', undefined],
    ['12345', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%j is %j', (typed, time) => {
    expect(clockTimeOf(typed)).toBe(time);
  });
});

it('now is the time of the clinic, from midnight on', () => {
  const at = new Date('2026-11-24T23:05:00Z');
  expect(clockOf({ timeZone: 'Europe/Zurich' }, at)).toBe('00:05');
  expect(clockOf({ timeZone: 'America/New_York' }, at)).toBe('18:05');
});
