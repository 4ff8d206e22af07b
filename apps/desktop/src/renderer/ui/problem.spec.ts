import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { ProblemNote } from './problem.tsx';
import { markupOf, textOf } from './render.testing.ts';

describe('a problem', () => {
  it('of an unsupported read doesn’t mention the search', () => {
    const problem = { kind: 'notOffered', operation: 'latestInsurance' } as const;
    expect(textOf(markupOf(createElement(ProblemNote, { problem }))).trim()).toBe(
      "This clinic's service doesn't offer this.",
    );
  });
});
