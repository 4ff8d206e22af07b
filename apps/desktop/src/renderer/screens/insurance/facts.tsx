import { Copy as CopySign } from 'lucide-react';
import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button, Code } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { dayText } from '../../components/dates.tsx';
import { hidden, useMasked } from '../../state/mask.tsx';
import { useCopy } from '../../state/clipboard.ts';
import { useText } from '../../text/text.tsx';
import { wordFor } from './insurance-facts.ts';
import type { Fact } from './insurance-facts.ts';
import styles from './insurance.module.css';

/** Labelled values, each with a button that copies it as it came. */
export function Facts({
  facts,
  large = false,
}: {
  facts: readonly Fact[];
  large?: boolean;
}): ReactElement {
  return (
    <dl className={large ? styles['large'] : styles['facts']}>
      {facts.map((fact) => (
        <FactRow key={fact.label} fact={fact} />
      ))}
    </dl>
  );
}

function FactRow({ fact }: { fact: Fact }): ReactElement {
  const text = useText();
  const masked = useMasked();
  const shown = useFactText()(fact);
  const { label, value, kind } = fact;
  return (
    <div className={styles['fact']}>
      <dt>{text(label)}</dt>
      <dd>
        {shown === undefined ? (
          <span className={styles['none']}>{text('state.notRecorded')}</span>
        ) : masked ? (
          hidden
        ) : kind === 'code' ? (
          <Code>{shown}</Code>
        ) : (
          <bdi title={kind === 'date' ? value : undefined}>{shown}</bdi>
        )}
        {value !== undefined && value !== '' && (
          <Copy value={value} label={text('insurance.copy', { field: text(label) })} />
        )}
      </dd>
    </div>
  );
}

function Copy({ value, label }: { value: string; label: string }): ReactElement {
  const text = useText();
  const { message, copy } = useCopy(value);
  return (
    <>
      <Button kind="icon" aria-label={label} onPress={copy}>
        <Icon of={CopySign} />
      </Button>
      <span role="status" className={styles['copied']}>
        {message === undefined ? '' : text(message)}
      </span>
    </>
  );
}

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
