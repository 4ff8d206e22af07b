import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { ProblemNote } from './problem.tsx';
import { renderMarkup, extractText } from './render.testing.ts';

describe('a problem', () => {
  it('of an unsupported read doesn’t mention the search', () => {
    const problem = { kind: 'notOffered', operation: 'latestInsurance' } as const;
    expect(extractText(renderMarkup(createElement(ProblemNote, { problem }))).trim()).toBe(
      "This clinic's service doesn't offer this.",
    );
  });
});
