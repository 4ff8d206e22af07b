import { expect, it } from '@jest/globals';
import { teamA } from '../../auth/access.testing.ts';
import { commandFolder } from '../caregate.testing.ts';
import { sanitizeText, toSafeJson, sanitizeLines } from './printable.ts';

const at = commandFolder();
const hostile = 'x\u001B[2J\u009B31m\u0007\r\u202Ey';
const controls = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;

it('text of others has no control characters on a terminal', () => {
  expect(sanitizeText(`${hostile}\n`)).toBe('x\uFFFD[2J\uFFFD31m\uFFFD\uFFFD\uFFFDy\uFFFD');
  expect(sanitizeLines('a\tb\nc\u001B')).toBe('a\tb\nc\uFFFD');
  expect(sanitizeLines('a,b\r\nc\rd')).toBe('a,b\r\nc\uFFFDd');
  expect(toSafeJson({ hostile })).not.toMatch(controls);
  expect(JSON.parse(toSafeJson({ hostile }))).toEqual({ hostile });
});

it.each([
  [hostile],
  [`--${hostile}`],
  ['import', hostile],
  ['import', '--format', 'hl7v2', '--team', teamA, '--authority', 'X', hostile],
  ['import', `--format=${hostile}`, 'x'],
  ['staff', 'disable', hostile],
  ['staff', 'list', '--team', hostile],
  ['keys', 'create', '--team', hostile, '--role', 'clinician', '--label', 'x'],
  ['desks', 'revoke', hostile],
  ['doctor', hostile],
])('no argument of a command reaches the terminal as it is: %j', async (...args) => {
  for (const more of [[], ['--json']]) {
    const { out, err } = await at.caregate(...args, ...more);
    expect(out + err).not.toBe('');
    expect(out + err).not.toMatch(controls);
  }
});
