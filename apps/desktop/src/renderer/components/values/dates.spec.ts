import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { dayOf, momentText, timeText, useAsOf } from './dates.tsx';
import { markupOf, textOf } from '../render.testing.ts';

/** Twenty past midnight in Berlin, while it is the day before in UTC. */
const at = '2026-11-21T23:20:05Z';

function Times(): ReactElement {
  const intl = useIntl();
  const asOf = useAsOf();
  const zone = { seconds: true, zone: true };
  return createElement(
    'p',
    {},
    [momentText(intl, at), dayOf(intl, at), timeText(intl, at, zone), asOf(at)].join('; '),
  );
}

describe('times', () => {
  it('are in the zone of the page, each text of them, and a moment names it', () => {
    const written = textOf(markupOf(createElement(Times), 'en', 'Europe/Berlin')).trim();
    expect(written).toBe('22 Nov 2026 00:20 GMT+1; 22 Nov 2026; 00:20:05 GMT+1; As of 00:20');
  });

  it.each([
    ['es', 'Asia/Kolkata', '04:50', 'GMT+5:30'],
    ['ar', 'Asia/Riyadh', '02:20', 'غرينتش+3'],
  ] as const)('in %s: %s', (language, zone, time, name) => {
    const [moment = '', , , asOf = ''] = textOf(
      markupOf(createElement(Times), language, zone),
    ).split('; ');
    expect(moment).toContain(time);
    expect(moment).toContain(name);
    expect(asOf).toContain(time);
  });
});
