import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { BiomarkerResult } from '@caregate/domain';
import { renderMarkup, extractText } from '../../../ui/render.testing.ts';
import { ResultView } from './result-view.tsx';
import type { OpenResult } from './result-view.tsx';

const creatinine: BiomarkerResult = {
  name: 'Creatinine',
  slug: 'creatinine',
  loinc: '2160-0',
  result: '0.78',
  value: 0.78,
  unit: 'mg/dL',
  min_range_value: 0.57,
  max_range_value: 1,
  notes: 'Verified by repeat analysis.',
};
const high = { ...creatinine, result: '2.92', value: 2.92, notes: 'Confirmed.' };
const of = (date: string, measured: BiomarkerResult) => ({ date, measured });
const open: OpenResult = {
  name: 'Creatinine',
  result: creatinine,
  metadata: {
    laboratory: 'Bluestone Diagnostics',
    provider: 'Dr. Quartermaine',
    specimen_number: '261108-4471',
    date_collected: '2026-11-08',
  },
  orderId: 'order-1',
  ordered: undefined,
  values: [of('2026-11-08', creatinine), of('2026-10-06', high)],
};
const nothing = (): void => undefined;

function show(changes: Partial<OpenResult> = {}, language: 'en' | 'es' | 'ar' = 'en'): string {
  const view = createElement(ResultView, {
    open: { ...open, ...changes },
    back: 'Report',
    position: { place: 1, total: 1, panel: undefined },
    onBack: nothing,
    onPrevious: undefined,
    onNext: nothing,
  });
  return renderMarkup(view, language);
}

/** The text in one line, without direction marks. */
const read = (markup: string): string =>
  extractText(markup)
    .replaceAll(/[\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ');

describe('an opened result', () => {
  it('says what the previous value was', () => {
    const shown = read(show());
    expect(shown).toMatch(/Previous 2\.92 High .*2026/u);
    expect(shown).toContain('All values');
  });

  it('has a chart of values with numbers, and none for one value', () => {
    expect(show()).toContain('aria-label="Creatinine: 2 values from');
    const single = show({ values: open.values.slice(0, 1) });
    expect(single).not.toContain('role="img"');
    expect(read(single)).not.toContain('Previous');
  });

  it('has specimen, provider, order number, and the notes of all values', () => {
    const shown = read(show());
    for (const part of ['261108-4471', 'Dr. Quartermaine', 'order-1', 'Bluestone Diagnostics']) {
      expect(shown).toContain(part);
    }
    expect(shown).toMatch(/Verified by repeat analysis\. Confirmed\. On the result of .*2026/u);
  });

  it('leaves out what isn’t known', () => {
    expect(read(show({ metadata: {} }))).not.toMatch(/Provider|Received|Reported/u);
  });

  it('says what a correction replaced, also of the previous value', () => {
    const [own, previous] = open.values;
    const replaced = { ...creatinine, result: '5.6' };
    const shown = read(
      show({
        values: [
          { ...own!, replaced },
          { ...previous!, replaced },
        ],
      }),
    );
    expect(shown).toContain('Creatinine Corrected, was 5.6 0.78');
    expect(shown).toContain('Previous 2.92 High Corrected, was 5.6');
  });
});
