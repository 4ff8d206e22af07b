import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import type { Insurance, LabOrderResult, User } from '@caregate/domain';
import { filled } from '../ui/canaries.testing.ts';
import type { Canary } from '../ui/canaries.testing.ts';
import { renderMarkup } from '../ui/render.testing.ts';
import { checkIdentity } from './labs/identity/identity-check.ts';
import { toRead } from '../api/read.ts';
import { InsuranceCard } from './insurance/insurance-card.tsx';
import { gateOf } from './labs/identity/identity-gate.testing.ts';
import { LabAnswer } from './labs/lab-order.tsx';

const user = filled('User');
const insurance = filled('Insurance');
const labs = filled('LabOrderResult');
const receivedAt = '2026-01-01T00:00:00Z';
const orderId = '0b5e55ed-0000-4000-8000-00000000c0de';

const insuranceCard = createElement(InsuranceCard, {
  which: 'primary',
  insurance: insurance.entity as Insurance,
});

/** The members of a lab result that stay visible under the mask. They tell what was done and when, but not for whom. */
const stays = [
  /^LabOrderResult\.metadata\.(?:provider|laboratory|date_|status|interpretation)/u,
  /^LabOrderResult\.(?:results|missing_results)\./u,
  /^LabOrderResult\.order_transaction\.(?:status$|orders\.\d\.(?!id$))/u,
];

function labAnswer(): ReactElement {
  const result = labs.entity as LabOrderResult;
  const nothing = (): void => undefined;
  return createElement(LabAnswer, {
    orderId,
    read: {
      ...toRead({ data: { value: result, receivedAt }, error: null, isFetching: false }),
      ...{ refetch: nothing, cancel: nothing },
    },
    order: undefined,
    gate: gateOf(
      checkIdentity({
        ...{ result, insurance: insurance.entity as Insurance },
        birthDates: [(user.entity as User).fallback_birth_date?.value ?? ''],
      }),
    ),
  });
}

/** Values of closed lists also occur in ordinary texts. */
const isTelling = ({ value }: Canary): boolean => /^canary |^\d{4}-|^7\d{3}$/u.test(String(value));

describe.each<[string, Canary[], ReactElement]>([
  ['an insurance', insurance.canaries, insuranceCard],
  ['a lab result', labs.canaries, labAnswer()],
])('under the mask, %s', (_name, canaries, element) => {
  const masked = renderMarkup(element, 'en', { isMasked: true });
  // Element IDs include the keys of lists, which nobody sees.
  const markup = masked.replaceAll(/ (?:id|data-key|aria-labelledby)="[^"]*"/gu, '');
  const gone = canaries
    .filter(isTelling)
    .filter(({ path }) => !stays.some((rule) => rule.test(path)));

  it('is looked through for something', () => {
    expect(gone.length).toBeGreaterThan(3);
  });

  it.each(gone.map(({ path, value }) => [path, String(value)]))('has no %s', (_path, value) => {
    expect(markup).not.toContain(value);
    // A date is also shown in words, and its year may occur elsewhere.
    const year = /^\d{4}(?=-)/u.exec(value)?.[0];
    if (year !== undefined) expect(markup).not.toContain(year);
  });

  it('has no order number', () => {
    expect(markup).not.toContain(orderId);
  });
});
