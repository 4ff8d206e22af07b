import { Pencil } from 'lucide-react';
import { memo, useState } from 'react';
import type { ReactElement } from 'react';
import {
  isPreliminary,
  measuredNumber,
  type BiomarkerResult,
  type EarlierResult,
} from '@caregate/domain';
import { trendValues } from '../history/earlier-values.ts';
import { Trend } from '../history/trend.tsx';
import { useIntl } from 'react-intl';
import { dayText } from '../../../components/values/dates.tsx';
import { Unseen } from '../../../components/layout.tsx';
import { useText } from '../../../text/text.tsx';
import { Flag } from '../../../components/results/flag.tsx';
import { RangeBar, RangeWords } from '../../../components/results/range-bar.tsx';
import { finite } from '../../../components/results/reference-range.ts';
import { DetailsButton, ResultDetails } from './result-details.tsx';
import type { ReadResult } from '../../../components/results/result-order.ts';
import styles from './results.module.css';

export const ResultRow = memo(function ResultRow(props: {
  readonly read: ReadResult;
  readonly name: string;
  readonly earlier: readonly EarlierResult[] | undefined;
  /** Whether something identifies this test across reports. */
  readonly canCompare: boolean;
  readonly common: string | undefined;
  readonly date: string;
  readonly was: BiomarkerResult | 'added' | undefined;
  readonly columns: number;
  readonly onCopy: (text: string) => void;
}): ReactElement {
  const { read, name, earlier, canCompare, common, date, was, columns, onCopy } = props;
  const { result, reading, place } = read;
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const detailsId = `result-${String(place)}`;
  const { conflicts } = reading;
  // Text without a range takes the columns of range and history.
  const isWide = isWords(read) && (result.type === 'comment' || !earlier?.length);
  return (
    <>
      <tr className={styles['row']} data-of={reading.flag}>
        <td>
          <Flag reading={reading} />
        </td>
        <th scope="row">
          <bdi>{name}</bdi> {isPreliminary(result) && <Preliminary />}
          {was !== undefined && <Was was={was} now={result} />}
        </th>
        <td colSpan={isWide ? 4 : undefined} className={isWide ? styles['wide'] : styles['result']}>
          <span dir={isWide ? 'auto' : 'ltr'} className={styles['measured']}>
            <bdi className="value">{result.result}</bdi>{' '}
            {result.unit ? <bdi className={styles['unit']}>{result.unit}</bdi> : null}
          </span>
          {isWide && reading.reportedNormal && <ReportedNormal />}
        </td>
        {!isWide && (
          <>
            <td className={`row tight ${styles['range'] ?? ''}`}>
              <RangeBar value={measuredNumber(read.result)} range={reading.range} />
              {reading.reportedNormal ? <ReportedNormal /> : <RangeWords range={reading.range} />}
            </td>
            <td>
              {earlier !== undefined && (
                <Previous
                  canCompare={canCompare && result.type !== 'comment'}
                  earlier={earlier}
                  common={common}
                />
              )}
            </td>
            <td>
              {earlier !== undefined && earlier.length > 0 && (
                <Trend values={trendValues(result, date, earlier)} range={reading.range} />
              )}
            </td>
          </>
        )}
        <td className={styles['last']}>
          <DetailsButton name={name} controls={detailsId} isOpen={isOpen} onChange={setOpen} />
        </td>
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
      {isOpen && (
        <tr id={detailsId}>
          <td colSpan={columns}>
            <ResultDetails result={result} earlier={earlier} onCopy={onCopy} />
          </td>
        </tr>
      )}
    </>
  );
});

function ReportedNormal(): ReactElement {
  const text = useText();
  return <span className="quiet">{text('flag.reportedNormal')}</span>;
}

function Preliminary(): ReactElement {
  const text = useText();
  return <span className="inline quiet wrap tag">{text('labs.preliminary')}</span>;
}

function Was(props: {
  readonly was: BiomarkerResult | 'added';
  readonly now: BiomarkerResult;
}): ReactElement {
  const { was, now } = props;
  const text = useText();
  return (
    <span className="inline quiet wrap tag marked">
      <Pencil aria-hidden="true" />
      <span>
        <Unseen>{text('changes.corrected')} </Unseen>
        {was === 'added'
          ? text('changes.wasNone')
          : text('changes.was', { before: wasText(was, now) })}
      </span>
    </span>
  );
}

function wasText(was: BiomarkerResult, now: BiomarkerResult): string {
  const isSameUnit = (was.unit ?? '') === (now.unit ?? '');
  return `\u2066${isSameUnit || !was.unit ? was.result : `${was.result} ${was.unit}`}\u2069`;
}

function isWords({ result, reading }: ReadResult): boolean {
  return reading.flag === 'noRange' && finite(result.value) === undefined;
}

const Previous = memo(function Previous(props: {
  readonly canCompare: boolean;
  readonly earlier: readonly EarlierResult[];
  readonly common: string | undefined;
}): ReactElement | null {
  const { canCompare, earlier, common } = props;
  const text = useText();
  const intl = useIntl();
  const [last] = earlier;
  if (last === undefined) {
    return canCompare ? <span className="quiet">{text('history.first')}</span> : null;
  }
  const day = dayText(intl, last.date);
  return (
    <span>
      <bdi dir="ltr" className="numbers">
        {last.measured.result}
      </bdi>{' '}
      <time dateTime={last.date} className={last.date === common ? 'unseen' : 'quiet'}>
        {day}
      </time>
    </span>
  );
});
