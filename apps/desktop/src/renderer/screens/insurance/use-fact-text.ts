import { useCallback } from 'react';
import { useIntl } from 'react-intl';
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
      const at = kind === 'date' ? Date.parse(`${value ?? ''}T00:00:00Z`) : Number.NaN;
      if (Number.isNaN(at)) return value;
      // A calendar date has no time zone: read and written in UTC it stays the day that it is.
      const day = { timeZone: 'UTC', year: 'numeric', month: 'short', day: '2-digit' } as const;
      return intl.formatDate(at, day);
    },
    [intl, text],
  );
}
