import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { dayText } from '../../components/dates.tsx';
import { useText } from '../../text/text.tsx';
import { wordFor } from './insurance-facts.ts';
import type { Fact } from './insurance-facts.ts';

/** A value as it is shown: words for known values, dates by the language, all else as it came. */
export function useFactText(): (fact: Fact) => string | undefined {
  const text = useText();
  const intl = useIntl();
  return useCallback(
    (fact) => {
      const { value, kind } = fact;
      const word = wordFor(fact);
      if (word !== undefined) return text(word);
      return kind === 'date' && value !== undefined ? (dayText(intl, value) ?? value) : value;
    },
    [intl, text],
  );
}
