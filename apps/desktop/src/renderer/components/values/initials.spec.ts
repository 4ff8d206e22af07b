import { describe, expect, it } from '@jest/globals';
import { initialsOf } from './initials.ts';

describe('the initials of a staff member', () => {
  it.each([
    ['Priya Raman', 'PR'],
    ['Dr. Leila Haddad', 'LH'],
    ['Dr. Haddad', 'DH'],
    ['María José Peralta Ruiz', 'MR'],
    ['Cher', 'C'],
    ['ليلى حداد', 'لح'],
    ['E\u0301lodie Å', 'E\u0301Å'],
    ['  ', ''],
  ])('%s: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
