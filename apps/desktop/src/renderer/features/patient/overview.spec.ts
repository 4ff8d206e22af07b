import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { Insurance, LabOrderResult, UserInfo } from '@caregate/domain';
import { renderMarkup, extractText } from '../../ui/render.testing.ts';
import type { Person } from './person.ts';
import { Contact } from './contact.tsx';
import { Mindfulness } from './mindfulness.tsx';
import { Policy } from './policy.tsx';
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
  extractText(renderMarkup(createElement(LatestResults, { result, birthDates, name })));

describe('the latest report at a glance', () => {
  const missing_results = [{ name: 'Ferritin', slug: 'ferritin', note: 'New vial' }];

  it('has what is missing and what is outside of its range, and counts the rest', () => {
    const said = latest(
      report([measured('Zinc', 5), measured('Iron', 12), measured('Lead', 3)], { missing_results }),
    );
    expect(said).toMatch(
      /Ferritin\s+Missing\s+New vial[\s\S]*Iron\s+12\s+High\s+up to 10\s+2 in range/u,
    );
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
  const days = { first: '2026-05-01', last: '2026-05-03' };
  const person = { value: { connected_sources: [] } } as unknown as Person;
  const panel = (provider: string, ...sessions: (readonly [start: string, value: number])[]) => ({
    ...{ key: provider, provider, source: 'ring' },
    points: sessions.map(([start, value]) => ({ start, end: start, unit: 'min' as const, value })),
  });

  it('are one line of the source with the most days, with a bar for each day', () => {
    const oura = panel('oura', ['2026-05-02T08:00:00Z', 0], ['2026-05-03T08:00:00Z', 34]);
    const panels = [panel('fitbit', ['2026-05-02T08:00:00Z', 99]), oura];
    const markup = renderMarkup(createElement(Mindfulness, { person, days, panels }));
    expect(extractText(markup)).toMatch(
      /Mindfulness\s+34 minutes on 2 of the 3 days until 05\/03\/2026\s+oura\s+1 other source/u,
    );
    const bars = markup.match(/<span title[^>]*>/gu) ?? [];
    expect(bars.map((bar) => bar.includes('data-none'))).toEqual([true, false, false]);
    expect(bars[2]).toContain('--share:1');
  });

  it('say that nothing was measured', () => {
    const panels = [panel('oura', ['2026-04-02T08:00:00Z', 10])];
    expect(
      extractText(renderMarkup(createElement(Mindfulness, { person, days, panels }))),
    ).toContain('No minutes in the last 30 days');
  });
});

describe('contact and insurance', () => {
  const info: UserInfo = {
    phone_number: '+12125550123',
    address: { first_line: '14 Larkspur Hollow', city: 'New York', state: 'NY', zip: '10012' },
  };
  const policy = { payor_code: 'NWMUT', group_id: 'GRP-6', member_id: 'NWM28' } as Insurance;

  it('are written as people write them, and say what is not on record', () => {
    const said = extractText(renderMarkup(createElement(Contact, { info })));
    expect(said).toMatch(/\(212\) 555-0123/u);
    expect(said).toMatch(/Email\s+Not recorded/u);
    expect(said).toMatch(/New York, NY 10012/u);
  });

  it('are hidden behind the mask', () => {
    const shown = [createElement(Contact, { info }), createElement(Policy, { insurance: policy })];
    const masked = shown.map((each) => extractText(renderMarkup(each, 'en', { isMasked: true })));
    expect(masked.join('\n')).not.toMatch(/555|Larkspur|New York|NWM|GRP/u);
  });
});
