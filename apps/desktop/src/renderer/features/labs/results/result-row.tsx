import { memo } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useIntl } from 'react-intl';
import {
  isPreliminary,
  measuredNumber,
  type BiomarkerResult,
  type EarlierResult,
} from '@caregate/domain';
import { useText } from '../../../i18n/text.tsx';
import { Flag } from './flag.tsx';
import { RangeBar, RangeWords } from './range-bar.tsx';
import { finite } from './reference-range.ts';
import { dayText } from '../../../ui/values/dates.tsx';
import { isFlagged, readingOf } from './result-reading.ts';
import type { ReadResult } from './result-order.ts';
import { Was } from './was.tsx';
import styles from './results.module.css';

export const ResultRow = memo(function ResultRow(props: {
  readonly read: ReadResult;
  readonly name: string;
  readonly earlier: readonly EarlierResult[] | undefined;
  /** Whether something identifies this test across reports. */
  readonly canCompare: boolean;
  readonly was: BiomarkerResult | 'added' | undefined;
  readonly isCurrent: boolean;
  /** The buttons of all rows, by place. */
  readonly buttons: RefObject<Map<number, HTMLButtonElement>>;
  readonly onFocus: (place: number) => void;
  readonly onOpen: (place: number) => void;
}): ReactElement {
  const { read, name, earlier, canCompare, was, isCurrent, buttons, onFocus, onOpen } = props;
  const { result, reading, place } = read;
  const text = useText();
  const intl = useIntl();
  const { conflicts } = reading;
  const last = earlier?.[0];
  // Text without a range takes the columns of flag, range and history.
  const isWide = isWords(read) && (result.type === 'comment' || last === undefined);
  return (
    <tr className={styles['row']} data-of={reading.flag}>
      <th scope="row">
        <button
          ref={(button) => {
            if (button === null) buttons.current.delete(place);
            else buttons.current.set(place, button);
          }}
          type="button"
          className={`inset bare ${styles['name'] ?? ''}`}
          tabIndex={isCurrent ? 0 : -1}
          onFocus={() => {
            onFocus(place);
          }}
          onClick={() => {
            onOpen(place);
          }}
        >
          <bdi>{name}</bdi>
        </button>{' '}
        {isPreliminary(result) && (
          <span className="inline quiet wrap tag">{text('labs.preliminary')}</span>
        )}
        {was !== undefined && <Was was={was} now={result} />}
      </th>
      <td colSpan={isWide ? 5 : undefined} className={isWide ? styles['wide'] : styles['result']}>
        <span dir={isWide ? 'auto' : 'ltr'} className={styles['measured']}>
          <bdi className="value">{result.result}</bdi>{' '}
          {result.unit ? <bdi className={styles['unit']}>{result.unit}</bdi> : null}
        </span>{' '}
        {isWide && <Flag reading={reading} />}
        {isWide && reading.reportedNormal && <ReportedNormal />}
      </td>
      {!isWide && (
        <>
          <td>{reading.flag !== 'normal' && <Flag reading={reading} />}</td>
          <td className={styles['range']}>
            {reading.reportedNormal ? <ReportedNormal /> : <RangeWords range={reading.range} />}
            <RangeBar value={measuredNumber(read.result)} range={reading.range} />
          </td>
          {last === undefined ? (
            <td>
              {earlier !== undefined && canCompare && result.type !== 'comment' && (
                <span className="quiet">{text('history.first')}</span>
              )}
            </td>
          ) : (
            <>
              <td>
                <Previous measured={last.measured} />
              </td>
              <td className="quiet">
                <time dateTime={last.date}>{dayText(intl, last.date)}</time>
              </td>
            </>
          )}
        </>
      )}
      {(result.notes || conflicts.length > 0) && (
        <td className={styles['notes']}>
          {conflicts.length > 0 && (
            <span className="bold unsure">
              {conflicts.map((conflict) => text(`conflict.${conflict}`)).join(' ')}{' '}
            </span>
          )}
          {result.notes ? <bdi>{result.notes}</bdi> : null}
        </td>
      )}
    </tr>
  );
});

function ReportedNormal(): ReactElement {
  const text = useText();
  return <span className="quiet">{text('flag.reportedNormal')}</span>;
}

function isWords({ result, reading }: ReadResult): boolean {
  return reading.flag === 'noRange' && finite(result.value) === undefined;
}

function Previous({ measured }: { readonly measured: BiomarkerResult }): ReactElement {
  const reading = readingOf(measured);
  return (
    <span className="row tight" data-of={reading.flag}>
      <bdi dir="ltr" className={`numbers ${isFlagged(reading) ? (styles['flagged'] ?? '') : ''}`}>
        {measured.result}
      </bdi>{' '}
      {isFlagged(reading) && <Flag reading={reading} />}
    </span>
  );
}
