import type { ReactElement } from 'react';
import { INFERRED_FAILURE_TYPES } from '@caregate/domain';
import type { MissingBiomarkerResult } from '@caregate/domain';
import { KeyValues, OpenValue, OtherFields } from '../../../components/key-values.tsx';
import type { MessageKey } from '../../../text/text.tsx';
import { useText } from '../../../text/text.tsx';
import { SourceMarkers, useCodes } from './result-details.tsx';
import styles from '../labs.module.css';

const known = [
  'name',
  'slug',
  'inferred_failure_type',
  'note',
  'loinc',
  'loinc_slug',
  'provider_id',
  'source_markers',
];

/** What was ordered and not measured, before everything that was. */
export function MissingResults(props: {
  readonly missing: readonly MissingBiomarkerResult[];
}): ReactElement {
  const text = useText();
  return (
    <section aria-label={text('labs.missing')} className={styles['missing']}>
      <h2>{text('labs.missing')}</h2>
      <ul className={styles['plain']}>
        {props.missing.map((one, index) => (
          <li key={index}>
            <Missing missing={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Missing({ missing }: { missing: MissingBiomarkerResult }): ReactElement {
  const text = useText();
  const codes = useCodes(missing);
  return (
    <details>
      <summary>
        <strong>
          <bdi>{missing.name}</bdi>
        </strong>{' '}
        –{' '}
        <OpenValue
          value={missing.inferred_failure_type}
          known={INFERRED_FAILURE_TYPES}
          words={words}
        />
        {missing.note ? <bdi className={styles['note']}>{missing.note}</bdi> : null}
      </summary>
      <div className={styles['details']}>
        <KeyValues
          entries={[
            [text('labs.reason'), missing.inferred_failure_type],
            [text('labs.notes'), missing.note && <bdi>{missing.note}</bdi>],
            ...codes,
          ]}
        />
        <SourceMarkers of={missing.source_markers} />
        <OtherFields of={missing} known={known} />
      </div>
    </details>
  );
}

const words = (value: string): MessageKey => `failure.${value}` as MessageKey;
