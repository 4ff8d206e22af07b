import { describe, expect, it } from '@jest/globals';
import { fateOf, nextFate } from './job-fate.ts';
import { attributesIn, cupsSocket } from './ipp.ts';

const answer = (state: number, ...reasons: string[]) =>
  new Map<string, readonly (string | number)[]>([
    ['job-state', [state]],
    ['job-printer-state-reasons', reasons],
  ]);

describe('the fate of a job', () => {
  it.each([
    [3, ['none'], 'queued'],
    [3, ['paused'], 'paused'],
    [5, ['connecting-to-device'], 'queued'],
    [5, ['media-empty-error'], 'noPaper'],
    [5, ['media-empty-warning'], 'queued'],
    [5, ['toner-low-report', 'media-jam'], 'jam'],
    [5, ['offline-report'], 'offline'],
    [6, ['something-new-error'], 'stopped'],
    [6, ['door-open-error'], 'open'],
    [7, [], 'cancelled'],
    [8, [], 'cancelled'],
    [9, ['media-empty-error'], 'printed'],
    [77, [], 'unknown'],
  ])('of state %j for %j is %s', (state, reasons, fate) => {
    expect(fateOf(answer(state, ...reasons))).toBe(fate);
  });

  it('isn’t known where CUPS is another computer’s, or doesn’t answer', async () => {
    expect(cupsSocket('print.clinic.example')).toBeUndefined();
    expect(cupsSocket('/run/own.sock')).toBe('/run/own.sock');
    expect(cupsSocket(undefined, 'darwin')).toBe('/private/var/run/cupsd');
    expect(
      await nextFate(1, 'queued', {
        isWanted: () => true,
        socket: '/nowhere/cups.sock',
      }),
    ).toBe('unknown');
  });

  it('isn’t asked for once nobody wants it', async () => {
    expect(await nextFate(1, 'queued', { isWanted: () => false, socket: '/nowhere' })).toBe(
      'unknown',
    );
  });
});

describe('an answer of IPP', () => {
  const text = (value: string) => [0, value.length, ...Buffer.from(value)];
  const bytes = [
    ...[2, 0, 0, 0, 0, 0, 0, 1, 2],
    ...[0x23, ...text('job-state'), 0, 4, 0, 0, 0, 5],
    ...[0x44, ...text('job-printer-state-reasons'), ...text('media-empty-error')],
    ...[0x44, 0, 0, ...text('paused'), 3],
  ];

  it('is read with each value of an attribute', () => {
    expect(attributesIn(Buffer.from(bytes))).toEqual(answer(5, 'media-empty-error', 'paused'));
  });

  it('that is cut off anywhere is none', () => {
    for (let end = 8; end < bytes.length; end++) {
      expect(() => attributesIn(Buffer.from(bytes.slice(0, end)))).toThrow(
        /cut off|range|bounds/iu,
      );
    }
  });
});
