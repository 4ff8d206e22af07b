import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { Insurance, LabOrderResult, UserInfo } from '@caregate/domain';
import { markupOf, textOf } from '../../components/render.testing.ts';
import { MaskContext } from '../../state/mask.tsx';
import { Contact, Policy } from './contact.tsx';
import { MonthBars } from './month.tsx';
import { LatestResults } from './reports.tsx';

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
const latest = (result: LabOrderResult, name = 'Ada Muster'): string =>
  textOf(markupOf(createElement(LatestResults, { result, birthDates, name })));

describe('the latest report at a glance', () => {
  const missing_results = [{ name: 'Ferritin', slug: 'ferritin', note: 'New vial' }];

  it('has what is missing and what is outside of its range, and counts the rest', () => {
    const said = latest(
      report([measured('Zinc', 5), measured('Iron', 12), measured('Lead', 3)], { missing_results }),
    );
    expect(said).toMatch(/Ferritin\s+New vial[\s\S]*High\s+Iron\s+12\s+up to 10\s+2 in range/u);
    expect(said).toContain('Laboratory says: abnormal');
    expect(said).not.toMatch(/Zinc|Lead|undefined/u);
  });

  it('stays within six rows, and says how many more there are', () => {
    const many = Array.from({ length: 45 }, (_none, place) =>
      measured(`Test ${String(place)}`, 11),
    );
    const said = latest(report(many, { missing_results }));
    expect(said.match(/Test \d/gu)).toHaveLength(5);
    expect(said).toContain('40 more');
  });

  it.each([
    ['another birth date', { patient: 'Ada Muster', dob: '19/01/1954' }],
    ['another name', { patient: 'Teodor Brannigan', dob: '07/03/1985' }],
  ])('shows nothing of a report with %s', (_what, metadata) => {
    const said = latest(report([measured('Iron', 12)], { metadata }));
    expect(said.trim()).toBe('Check who this report is about');
  });
});

describe('the minutes of a month', () => {
  it('have a bar for each day, and a dash where nothing was measured', () => {
    const total = (day: string, minutes: number) => ({
      day,
      minutes,
      sessions: [],
      shift: undefined,
    });
    const markup = markupOf(
      createElement(MonthBars, {
        totals: [total('2026-05-02', 0), total('2026-05-03', 34)],
        days: { first: '2026-05-01', last: '2026-05-03' },
      }),
    );
    const bars = markup.match(/<span title[^>]*>/gu) ?? [];
    expect(bars).toHaveLength(3);
    expect(bars.map((bar) => bar.includes('data-none'))).toEqual([true, false, false]);
    expect(bars[2]).toContain('--share:1');
    expect(textOf(markup)).toMatch(/05\/01\/2026\s+Longest day 34 min\s+05\/03\/2026/u);
  });
});

describe('contact and insurance', () => {
  const info: UserInfo = {
    phone_number: '+12125550123',
    address: { first_line: '14 Larkspur Hollow', city: 'New York', state: 'NY', zip: '10012' },
  };
  const policy = { payor_code: 'NWMUT', group_id: 'GRP-6', member_id: 'NWM28' } as Insurance;

  it('are written as people write them, and say what is not on record', () => {
    const said = textOf(markupOf(createElement(Contact, { info })));
    expect(said).toMatch(/\(212\) 555-0123/u);
    expect(said).toMatch(/E-mail\s+Not recorded/u);
    expect(said).toMatch(/New York, NY 10012/u);
  });

  it('are hidden behind the mask', () => {
    const shown = [createElement(Contact, { info }), createElement(Policy, { of: policy })];
    const masked = shown.map((each) =>
      textOf(markupOf(createElement(MaskContext, { value: true, children: each }))),
    );
    expect(masked.join('\n')).not.toMatch(/555|Larkspur|New York|NWM|GRP/u);
  });
});
