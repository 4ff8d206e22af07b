import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { isPreliminary } from '@caregate/domain';
import type { BiomarkerResult, LabResultMetadata } from '@caregate/domain';
import { Button, IconButton, KeyCap } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../../ui/layout.tsx';
import { formatDate } from '../../../ui/values/dates.tsx';
import { Flag } from '../results/flag.tsx';
import { RangeWords } from '../results/range-bar.tsx';
import { isFlagged, interpretResult } from '../results/result-reading.ts';
import { formatKeys, useCommand } from '../../../app/keyboard.ts';
import { copyText } from '../../../app/clipboard.ts';
import { useText } from '../../../i18n/text.tsx';
import { findLastFlagged, toPoints } from '../history/earlier-values.ts';
import type { DatedValue } from '../history/earlier-values.ts';
import type { IdentityGate } from '../identity/identity-gate.ts';
import { useShown } from '../../../api/shown-records.ts';
import { Was } from '../results/result-table.tsx';
import { Chart } from './chart.tsx';
import { ResultFacts } from './result-facts.tsx';
import styles from './result-view.module.css';

/** A result, its report, and all values of its test. */
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
  /** Label of the button back. */
  readonly back: string;
  /** Position among the results of its panel, from 1. */
  readonly position: {
    readonly place: number;
    readonly total: number;
    readonly panel: string | undefined;
  };
  readonly onBack: () => void;
  /** Undefined at the first and at the last result. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  /** Absent if only reports that passed the identity check are shown. */
  readonly gate?: Pick<IdentityGate, 'isBlocked' | 'onAttempt'>;
  readonly actions?: ReactNode;
  /** Warnings about the report, above the result. */
  readonly banners?: ReactNode;
  readonly foot?: ReactNode;
}): ReactElement {
  const { open, back, position, gate, onBack, onPrevious, onNext } = props;
  const { name } = open;
  const { panel, ...numbers } = position;
  const text = useText();
  const shown = useShown();
  const copy = (copied: string): void => {
    if (gate?.isBlocked === true) gate.onAttempt('copy');
    else copyText({ text: copied, from: shown() });
  };
  useCommand('escape', onBack);
  return (
    <div className={styles['view']} data-result="">
      <Row className={styles['bar']}>
        <Button autoFocus onPress={onBack}>
          <span className={styles['arrow']}>
            <Icon of={ArrowLeft} />
          </span>
          {back} <KeyCap keys={formatKeys('escape')} isSilent />
        </Button>
        <Quiet size="meta" className="grow">
          {panel === undefined
            ? text('result.position', numbers)
            : text('result.positionIn', { ...numbers, panel: `\u2068${panel}\u2069` })}
        </Quiet>
        <Step icon={ChevronUp} label={text('result.previous')} onStep={onPrevious} />
        <Step icon={ChevronDown} label={text('result.next')} onStep={onNext} />
        {props.actions}
      </Row>
      {props.banners}
      <div
        className={`inset ${styles['columns'] ?? ''}`}
        role="region"
        aria-label={name}
        tabIndex={0}
      >
        <Stack gap="gap4" className={styles['values']}>
          <Current open={open} />
          <Values open={open} />
        </Stack>
        <ResultFacts open={open} onCopy={copy} />
      </div>
      {props.foot}
    </div>
  );
}

function Step(props: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onStep: (() => void) | undefined;
}): ReactElement {
  const { icon, label, onStep } = props;
  return (
    <IconButton
      icon={icon}
      label={label}
      isDisabled={onStep === undefined}
      onPress={() => onStep?.()}
    />
  );
}

function Current({ open }: { readonly open: OpenResult }): ReactElement {
  const { name, result, values } = open;
  const text = useText();
  const reading = interpretResult(result);
  const place = values.findIndex(({ measured }) => measured === result);
  const previous = values[place + 1];
  const last = findLastFlagged(values);
  return (
    <div>
      <h2>
        <bdi>{name}</bdi>{' '}
        {isPreliminary(result) && (
          <span className="inline quiet wrap tag">{text('labs.preliminary')}</span>
        )}
        <Was was={values[place]?.replaced} now={result} />
      </h2>
      <Row gap="wide" data-of={reading.flag}>
        <span dir="auto" className={styles['big']}>
          <bdi className="value">{result.result}</bdi>{' '}
          {result.unit ? <bdi className="quiet">{result.unit}</bdi> : null}
        </span>
        <Flag reading={reading} />
        <RangeWords range={reading.range} />
        {reading.reportedNormal && <Quiet>{text('flag.reportedNormal')}</Quiet>}
      </Row>
      {reading.conflicts.length > 0 && (
        <p className="bold unsure">
          {reading.conflicts.map((conflict) => text(`conflict.${conflict}`)).join(' ')}
        </p>
      )}
      {values.length > 1 && (
        <Row gap="wide" className="row13">
          {previous !== undefined && <Dated label={text('history.previous')} value={previous} />}
          {last === undefined ? (
            <span>{text('result.neverAbnormal', { count: values.length })}</span>
          ) : (
            <Dated label={text('result.lastAbnormal')} value={last} />
          )}
        </Row>
      )}
    </div>
  );
}

function Dated(props: { readonly label: string; readonly value: DatedValue }): ReactElement {
  const { date, measured, replaced } = props.value;
  const reading = interpretResult(measured);
  return (
    <Row as="span" gap="tight" data-of={reading.flag}>
      <Quiet>{props.label}</Quiet> <bdi className="value">{measured.result}</bdi>{' '}
      {isFlagged(reading) && <Flag reading={reading} />} <Was was={replaced} now={measured} />{' '}
      <Date of={date} />
    </Row>
  );
}

function Date({ of }: { readonly of: string }): ReactElement {
  const intl = useIntl();
  const text = useText();
  return of === '' ? (
    <span>{text('orders.noDate')}</span>
  ) : (
    <time dateTime={of}>{formatDate(intl, of)}</time>
  );
}

function Values({ open }: { readonly open: OpenResult }): ReactElement {
  const { name, result, values } = open;
  const text = useText();
  const points = toPoints(values);
  const hasLaboratories = values.some(({ laboratory }) => laboratory !== undefined);
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
              <th scope="col">{text('labs.flag')}</th>
              <th scope="col">{text('labs.range')}</th>
              {hasLaboratories && <th scope="col">{text('labs.laboratory')}</th>}
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
                    <Date of={date} />
                  </th>
                  <td>
                    <bdi dir="auto">
                      <bdi className="value">{measured.result}</bdi>{' '}
                      {measured.unit ? <bdi className="quiet">{measured.unit}</bdi> : null}
                    </bdi>{' '}
                    {measured !== result && <Was was={replaced} now={measured} />}
                  </td>
                  <td>{isFlagged(reading) && <Flag reading={reading} />}</td>
                  <td>
                    <RangeWords range={reading.range} />
                  </td>
                  {hasLaboratories && (
                    <td className="quiet">
                      <bdi>{laboratory}</bdi>
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </>
  );
}
