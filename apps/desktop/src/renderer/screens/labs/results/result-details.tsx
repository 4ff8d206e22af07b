import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { BiomarkerResult, EarlierResult } from '@caregate/domain';
import { Button, Code } from '../../../components/controls.tsx';
import { Fact, Facts } from '../../../components/surfaces.tsx';
import { dayText, Moment } from '../../../components/values/dates.tsx';
import { useText } from '../../../text/text.tsx';
import styles from './results.module.css';

/** What opens under a row: when it was measured, its LOINC code and every earlier value. */
export function ResultDetails(props: {
  readonly result: BiomarkerResult;
  readonly earlier?: readonly EarlierResult[] | undefined;
  readonly onCopy: (text: string) => void;
}): ReactElement {
  const { result, earlier = [], onCopy } = props;
  const { timestamp, loinc } = result;
  const text = useText();
  const intl = useIntl();
  return (
    <Facts className={styles['details']}>
      <Fact label={text('labs.measured')}>
        {timestamp ? <Moment at={timestamp} /> : text('value.none')}
      </Fact>
      <Fact label={text('labs.loinc')}>
        {loinc ? (
          <>
            <Code>{loinc}</Code>{' '}
            <Button
              aria-label={text('labs.copyLoinc', { code: loinc })}
              onPress={() => {
                onCopy(loinc);
              }}
            >
              {text('labs.copy')}
            </Button>
          </>
        ) : (
          text('value.none')
        )}
      </Fact>
      {earlier.length > 0 && (
        <Fact label={text('history.earlier')}>
          <ul className={styles['earlier']}>
            {earlier.map(({ order_id: id, date, measured }, place) => (
              <li key={`${id} ${String(place)}`}>
                <time dateTime={date} className="quiet">
                  {dayText(intl, date)}
                </time>{' '}
                <bdi dir="ltr" className="numbers">
                  {measured.result}
                </bdi>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </Facts>
  );
}

/** Opens a row's details under it. The style draws its icon: there may be 500. */
export function DetailsButton(props: {
  readonly name: string;
  readonly controls: string;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}): ReactElement {
  const { name, controls, isOpen, onChange } = props;
  const text = useText();
  const label = text('labs.detailsOf', { name });
  return (
    <button
      type="button"
      className={`inset center bare ${styles['open'] ?? ''}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      aria-label={label}
      title={label}
      onClick={() => {
        onChange(!isOpen);
      }}
    />
  );
}
