import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { markupOf } from '../../components/render.testing.ts';
import { Proposal } from './connect.tsx';

describe('a proposal of the network', () => {
  it.each(['en', 'es', 'ar'] as const)(
    'shows its address, and a button to confirm it (%s)',
    (locale) => {
      const shown = createElement(Proposal, {
        address: 'https://caregate.clinic.example',
        onConfirm: () => undefined,
      });
      const markup = markupOf(shown, locale);
      expect(markup).toContain('<code dir="ltr">https://caregate.clinic.example</code>');
      expect(markup.match(/<button/gu)).toHaveLength(1);
      // Enter is the form's own, which takes what stands in the field.
      expect(markup).toContain('type="button"');
    },
  );
});
