import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { BiomarkerResult, Insurance, LabOrderResult, UserInfo } from '@caregate/domain';
import { renderMarkup, extractText } from '../../ui/render.testing.ts';
import type { Person } from './person.ts';
import { Contact } from './contact.tsx';
import { LatestResults } from './latest-results.tsx';
import { Mindfulness } from './mindfulness.tsx';
import { Policy } from './policy.tsx';

const birthDates = ['1985-03-07'];
const measured = (name: string, value: number, unit?: string): LabOrderResult['results'][0] => ({
  ...{ name, slug: name, result: String(value), value, max_range_value: 10 },
  ...(unit !== undefined && { unit }),
});
const report = (
  results: LabOrderResult['results'],
  more: Partial<LabOrderResult> = {},
): LabOrderResult => ({
  metadata: { patient: 'Ada Muster', dob: '07/03/1985', interpretation: 'abnormal' },
  results,
  ...more,
});
const latest = (result: LabOrderResult, earlier?: (name: string) => number | undefined): string =>
  extractText(
    renderMarkup(
      createElement(LatestResults, {
        ...{ result, birthDates, name: 'Ada Muster' },
        findEarlier: ({ name }: BiomarkerResult) => {
          const value = earlier?.(name);
          return value === undefined
            ? []
            : [{ order_id: 'o', date: '2026-10-06', measured: measured(name, value) }];
        },
      }),
    ),
  );

describe('the latest report at a glance', () => {
  const missing_results = [{ name: 'Ferritin', slug: 'ferritin', note: 'New vial' }];

  it('has what is missing and what is outside of its range, and counts the rest', () => {
    const shownText = latest(
      report([measured('Zinc', 5), measured('Iron', 12), measured('Lead', 3)], { missing_results }),
    );
    expect(shownText).toMatch(
      /Ferritin\s+Missing\s+New vial[\s\S]*Iron\s+12\s+High\s+up to 10\s+2 in range/u,
    );
    expect(shownText).not.toMatch(/Zinc|Lead|undefined/u);
  });

  it('has what is in range now and was flagged before, by the day of that', () => {
    const shownText = latest(
      report([measured('Iron', 12), measured('Zinc', 5), measured('Lead', 3)]),
      (name) => (name === 'Zinc' ? 14 : 2),
    );
    expect(shownText).toMatch(
      /Iron[\s\S]*In range now, abnormal on 10\/06\/2026\s+Zinc\s+5[\s\S]*14\s+High\s+1 in range/u,
    );
    expect(shownText).not.toContain('Lead');
  });

  it.each([
    ['another birth date', { patient: 'Ada Muster', dob: '19/01/1954' }],
    ['another name', { patient: 'Teodor Brannigan', dob: '07/03/1985' }],
  ])('shows nothing of a report with %s', (_what, metadata) => {
    const shownText = latest(report([measured('Iron', 12)], { metadata }));
    expect(shownText.trim()).toBe('Check who this report is about');
  });
});

describe('the minutes of a month', () => {
  const days = { first: '2026-05-01', last: '2026-05-03' };
  const person = { value: { connected_sources: [] } } as unknown as Person;
  const source = (provider: string, ...minutes: (readonly [day: string, minutes: number])[]) => ({
    provider,
    minutes: new Map(minutes),
  });

  it('are one line of the source with the most days, with a bar for each day', () => {
    const oura = source('oura', ['2026-05-02', 0], ['2026-05-03', 34]);
    const sources = [source('fitbit', ['2026-05-02', 99]), oura];
    const markup = renderMarkup(createElement(Mindfulness, { person, days, sources }));
    expect(extractText(markup)).toMatch(
      /Mindfulness\s+34 minutes on 2 of the 3 days until 05\/03\/2026\s+oura/u,
    );
    const bars = markup.match(/<span title[^>]*>/gu) ?? [];
    expect(bars.map((bar) => bar.includes('data-none'))).toEqual([true, false, false]);
    expect(bars[2]).toContain('--share:1');
  });

  it('say that nothing was measured', () => {
    const markup = renderMarkup(createElement(Mindfulness, { person, days, sources: [] }));
    expect(extractText(markup)).toContain('No minutes in the last 30 days');
  });
});

describe('contact and insurance', () => {
  const info: UserInfo = {
    phone_number: '+12125550123',
    address: { first_line: '14 Larkspur Hollow', city: 'New York', state: 'NY', zip: '10012' },
  };
  const insurance = {
    ...{ payor_code: 'NWMUT', group_id: 'GRP-6', member_id: 'NWM28', relationship: 'Spouse' },
    insured: { first_name: 'Prudence', last_name: 'Muster' },
  } as Insurance;
  const policy = createElement(Policy, { which: 'secondary', insurance, hasNames: true });

  it('are written as people write them, and say what is not on record', () => {
    const shownText = extractText(renderMarkup(createElement(Contact, { info, hasCopies: false })));
    expect(shownText).toMatch(/\(212\) 555-0123/u);
    expect(shownText).toMatch(/Email\s+Not recorded/u);
    expect(shownText).toMatch(/New York, NY 10012/u);
  });

  it('are hidden behind the mask', () => {
    const shown = [createElement(Contact, { info, hasCopies: true }), policy];
    expect(extractText(renderMarkup(policy))).toContain(
      "Prudence Muster\u2069, the patient's spouse.",
    );
    const masked = shown.map((each) => extractText(renderMarkup(each, 'en', { isMasked: true })));
    expect(masked.join('\n')).not.toMatch(/555|Larkspur|New York|NWM|GRP|Prudence/u);
  });
});
