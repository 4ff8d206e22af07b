import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { ProblemNote } from './problem.tsx';
import { markupOf, textOf } from './render.testing.ts';

const said = (operation?: 'latestInsurance', language: 'en' | 'es' | 'ar' = 'en'): string =>
  textOf(
    markupOf(
      createElement(ProblemNote, {
        problem: { kind: 'forbidden', ...(operation !== undefined && { operation }) },
      }),
      language,
    ),
  );

describe('a refusal', () => {
  it('names the roles that may, and nothing where it knows of none', () => {
    expect(said('latestInsurance')).toMatch(/can't open this\. Who can: \S+/u);
    expect(said()).toContain("Your role can't open this.\n");
    for (const language of ['es', 'ar'] as const)
      expect(said(undefined, language)).not.toContain(':');
  });
});
