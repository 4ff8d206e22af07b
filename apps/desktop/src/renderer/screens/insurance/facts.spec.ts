import { expect, it } from '@jest/globals';
import { createElement } from 'react';
import { markupOf, textOf } from '../../components/render.testing.ts';
import { InsuranceFacts } from './facts.tsx';

it('shows a phone number as people write it', () => {
  const insured = { first_name: 'Ada', last_name: 'Lovelace', phone_number: '+12125550123' };
  const insurance = { payor_code: 'P', member_id: 'M', relationship: 'Self', insured };
  const shown = textOf(markupOf(createElement(InsuranceFacts, { insurance } as never)));
  expect(shown).toContain('Phone\n(212) 555-0123\n');
});
