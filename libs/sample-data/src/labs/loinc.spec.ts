import { describe, expect, it } from '@jest/globals';
import { hasValidLoincCheckDigit } from '@caregate/domain';
import { panelKeys, panels } from './biomarker.ts';

const biomarkers = panelKeys.flatMap((key) => panels[key].biomarkers);

describe('biomarkers', () => {
  it.each(biomarkers.map((one) => [one.slug, one.loinc]))(
    '%s has a LOINC code with a right check digit',
    (_slug, loinc) => {
      expect(hasValidLoincCheckDigit(loinc)).toBe(true);
    },
  );

  it('have one name and one LOINC code a slug', () => {
    const bySlug = new Map<string, string>();
    const byLoinc = new Map<string, string>();
    for (const { slug, name, loinc } of biomarkers) {
      expect(bySlug.get(slug) ?? `${name} ${loinc}`).toBe(`${name} ${loinc}`);
      expect(byLoinc.get(loinc) ?? slug).toBe(slug);
      bySlug.set(slug, `${name} ${loinc}`);
      byLoinc.set(loinc, slug);
    }
    expect(bySlug.size).toBeGreaterThan(80);
  });
});
