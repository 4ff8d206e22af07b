import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { isPreliminary, type BiomarkerResult, type LabResultMetadata } from '@caregate/domain';
import { Button, IconButton, KeyCap } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../../ui/layout.tsx';
import { formatDate } from '../../../ui/values/dates.tsx';
import { Flag } from '../results/flag.tsx';
import { RangeWords } from '../results/range-bar.tsx';
import { isFlagged, interpretResult } from '../results/result-reading.ts';
import { formatKeys, useCommand } from '../../../app/keyboard.ts';
import { useText } from '../../../i18n/text.tsx';
import { toPoints, type DatedValue } from '../history/earlier-values.ts';
import { CorrectionNote } from '../results/result-table.tsx';
import { Chart } from './chart.tsx';
import { ResultFacts } from './result-facts.tsx';
import labs from '../labs.module.css';
import styles from './result-view.module.css';

/** An open result with its report and all values of its test. */
export interface OpenResult {
  readonly name: string;
  readonly result: BiomarkerResult;
  readonly metadata: LabResultMetadata;
  readonly orderId: string;
  readonly ordered: string | null | undefined;
  /** Newest first, including this result. */
  readonly values: readonly DatedValue[];
}

export function ResultView(props: {
  readonly open: OpenResult;
  /** The label of the back button. */
  readonly back: string;
  /** The position among the results of the panel, from 1. */
  readonly position: {
    readonly place: number;
    readonly total: number;
    readonly panel: string | undefined;
  };
  readonly onBack: () => void;
  /** `onPrevious` and `onNext` are undefined at the first and the last result. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  /** Warnings about the report, which are shown above the result. */
  readonly banners?: ReactNode;
}) {
  const { open, back, position, onBack, onPrevious, onNext } = props;
  const { name } = open;
  const { panel, ...numbers } = position;
  const text = useText();
  useCommand('escape', onBack);
  return (
    <div className={`column ${styles['view'] ?? ''}`} data-result="">
      <Row className={labs['toolbar']}>
        <Button autoFocus onPress={onBack}>
          <span className={`inline ${styles['arrow'] ?? ''}`}>
            <Icon of={ArrowLeft} />
          </span>
          {back} <KeyCap keys={formatKeys('escape')} isSilent />
        </Button>
        <Row as="span" gap="gap3" className="end">
          <Quiet size="meta">
            {panel === undefined
              ? text('result.position', numbers)
              : text('result.positionIn', { ...numbers, panel: `\u2068${panel}\u2069` })}
          </Quiet>
          <span className="line gap1">
            <IconButton
              icon={ChevronUp}
              label={text('result.previous')}
              isDisabled={onPrevious === undefined}
              onPress={() => onPrevious?.()}
            />
            <IconButton
              icon={ChevronDown}
              label={text('result.next')}
              isDisabled={onNext === undefined}
              onPress={() => onNext?.()}
            />
          </span>
        </Row>
      </Row>
      {props.banners}
      <div
        className={`inset ${styles['columns'] ?? ''}`}
        role="region"
        aria-label={name}
        tabIndex={0}
      >
        <Stack gap="gap3" className={styles['values']}>
          <CurrentResult open={open} />
          <AllValues open={open} />
        </Stack>
        <ResultFacts open={open} />
      </div>
    </div>
  );
}

function CurrentResult({ open }: { readonly open: OpenResult }) {
  const { name, result, values } = open;
  const text = useText();
  const reading = interpretResult(result);
  const place = values.findIndex(({ measured }) => measured === result);
  return (
    <div>
      <h2>
        <bdi>{name}</bdi>{' '}
        {isPreliminary(result) && (
          <span className="inline quiet wrap tag">{text('labs.preliminary')}</span>
        )}
        <CorrectionNote replaced={values[place]?.replaced} now={result} />
      </h2>
      <Row gap="wide" className={styles['current']} data-of={reading.flag}>
        <span dir="auto" className={`wrap ${styles['big'] ?? ''}`}>
          <bdi className="value">{result.result}</bdi>{' '}
          {result.unit ? <bdi className="quiet">{result.unit}</bdi> : null}
        </span>
        {reading.flag !== 'noRange' && <Flag reading={reading} />}
        <RangeWords range={reading.range} />
        <Previous value={values[place + 1]} />
      </Row>
      {reading.conflicts.length > 0 && (
        <p className="bold unsure">
          {reading.conflicts.map((conflict) => text(`conflict.${conflict}`)).join(' ')}
        </p>
      )}
    </div>
  );
}

function Previous({ value }: { readonly value: DatedValue | undefined }) {
  const text = useText();
  if (value === undefined) return null;
  const { date, measured, replaced } = value;
  const reading = interpretResult(measured);
  return (
    <Row as="span" gap="tight" className="end row13" data-of={reading.flag}>
      <Quiet>{text('history.previous')}</Quiet> <bdi className="value">{measured.result}</bdi>{' '}
      {isFlagged(reading) && <Flag reading={reading} />}{' '}
      <CorrectionNote replaced={replaced} now={measured} />{' '}
      <Quiet>
        <ReportDate date={date} />
      </Quiet>
    </Row>
  );
}

function ReportDate({ date }: { readonly date: string }) {
  const intl = useIntl();
  const text = useText();
  return date === '' ? (
    <span>{text('orders.noDate')}</span>
  ) : (
    <time dateTime={date}>{formatDate(intl, date)}</time>
  );
}

function AllValues({ open }: { readonly open: OpenResult }) {
  const { name, result, values } = open;
  const text = useText();
  const points = toPoints(values);
  return (
    <>
      {points.length > 0 && (
        <Chart name={name} points={points} range={interpretResult(result).range} current={result} />
      )}
      <section>
        <h3>{text('result.values')}</h3>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{text('labs.collected')}</th>
              <th scope="col">{text('labs.result')}</th>
              <th scope="col">{text('labs.unit')}</th>
              <th scope="col">{text('labs.flag')}</th>
              <th scope="col">{text('labs.range')}</th>
              <th scope="col">{text('labs.laboratory')}</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ date, measured, replaced, laboratory }, index) => {
              const reading = interpretResult(measured);
              return (
                <tr
                  key={index}
                  data-of={reading.flag}
                  aria-current={measured === result ? 'true' : undefined}
                >
                  <th scope="row">
                    <ReportDate date={date} />
                  </th>
                  <td>
                    <bdi dir="auto" className="value">
                      {measured.result}
                    </bdi>
                  </td>
                  <td className="quiet">
                    <bdi>{measured.unit}</bdi>
                  </td>
                  <td>
                    {isFlagged(reading) && <Flag reading={reading} />}{' '}
                    {measured !== result && <CorrectionNote replaced={replaced} now={measured} />}
                  </td>
                  <td>
                    <RangeWords range={reading.range} />
                  </td>
                  <td className="quiet">
                    <bdi>{laboratory}</bdi>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </>
  );
}
