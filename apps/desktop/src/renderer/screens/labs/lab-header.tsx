import { Fragment } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { INTERPRETATIONS, METADATA_STATUSES } from '@caregate/domain';
import type { LabResultMetadata } from '@caregate/domain';
import { Code } from '../../components/controls.tsx';
import { Day, dayOf } from '../../components/values/dates.tsx';
import { KeyValues, OpenValue, OtherFields } from '../../components/key-values.tsx';
import { Row } from '../../components/layout.tsx';
import { hidden } from '../../state/mask.tsx';
import type { MessageKey } from '../../text/text.tsx';
import { useText } from '../../text/text.tsx';
import { dayMonthYear } from '../../state/orders/identity-check.ts';
import { besideStatus } from './report-status/report-status.ts';
import type { ReportNotice } from './report-status/report-status.ts';
import { ReportStatusMarks } from './report-status/report-status-banner.tsx';
import { Interpretation } from './results/result-details.tsx';
import styles from './labs.module.css';

const statuses = Object.values(METADATA_STATUSES);
const interpretations: readonly string[] = Object.values(INTERPRETATIONS);
const known = [
  'age',
  'dob',
  'clia_number',
  'patient',
  'provider',
  'laboratory',
  'date_reported',
  'date_collected',
  'date_received',
  'specimen_number',
  'status',
  'interpretation',
];

interface HeaderProps {
  readonly metadata: LabResultMetadata;
  readonly notices: readonly ReportNotice[];
  readonly masked: boolean;
}

export function LabHeader(
  props: HeaderProps & {
    readonly ordered?: string | null | undefined;
    readonly children?: ReactNode;
  },
): ReactElement {
  const { metadata: data, ordered, notices, masked, children } = props;
  const text = useText();
  const intl = useIntl();
  // The banner says it, and it is not final as well.
  const isSaid = notices.some((notice) =>
    notice.kind === 'unrecognised'
      ? notice.words.includes(data.status ?? '')
      : 'source' in notice && notice.source === 'report',
  );
  const orderedOn = ordered ? dayOf(intl, ordered) : undefined;
  const personal = (value: ReactNode): ReactNode => (masked ? hidden : value);
  const facts = [
    data.patient && (
      <>
        {text('labs.about')} <strong>{personal(<bdi>{data.patient}</bdi>)}</strong>
      </>
    ),
    data.dob && (
      <>
        {text('labs.born')} <strong>{personal(<BirthDate raw={data.dob} />)}</strong>
      </>
    ),
    orderedOn && (
      <span data-ordered="">
        {text('awaited.step.ordered')} {orderedOn}
      </span>
    ),
    data.date_collected && (
      <>
        {text('labs.collected')} <Day date={data.date_collected} />
      </>
    ),
    data.date_reported && (
      <>
        {text('labs.reported')} <Day date={data.date_reported} />
      </>
    ),
    data.provider && <bdi>{data.provider}</bdi>,
  ];
  return (
    <header className={styles['head']}>
      <div>
        <h2>
          <bdi>{data.laboratory ?? text('labs.noLaboratory')}</bdi>
          {!isSaid && (
            <span className="inline quiet wrap tag">
              <OpenValue value={data.status} known={statuses} words={statusWords} />
            </span>
          )}
          <Says value={data.interpretation} />
        </h2>
        <p className={`quiet row13 wrap ${styles['facts'] ?? ''}`}>
          {/* The separator, before each span, stays outside of a name's direction. */}
          {facts.map((fact, index) => fact && <span key={index}>{fact}</span>)}
        </p>
      </div>
      <Row>{children}</Row>
    </header>
  );
}

function Says({ value }: { value: string | null | undefined }): ReactElement | null {
  const text = useText();
  if (!value || value === INTERPRETATIONS.normal) return null;
  const word = interpretations.includes(value)
    ? // In a sentence, where the table of labels has it as a heading.
      text(`labs.read.${value}` as MessageKey).toLowerCase()
    : text('value.quoted', { value });
  return (
    <span className="inline quiet wrap tag" data-read={value}>
      {text('labs.says', { word })}
    </span>
  );
}

export function LabHeaderDetails(props: HeaderProps): ReactElement {
  const { metadata: data, notices, masked } = props;
  const text = useText();
  const day = (date: string | null | undefined): ReactElement | undefined =>
    date ? <Day date={date} /> : undefined;
  const personal = <T,>(value: T): T | string => (masked && value ? hidden : value);
  return (
    <section
      aria-label={text('labs.header')}
      className={`stack gap3 wrap ${styles['panel'] ?? ''}`}
    >
      <KeyValues
        entries={[
          [text('labs.patient'), personal(data.patient && <bdi>{data.patient}</bdi>)],
          [text('labs.dob'), personal(data.dob && <BirthDate raw={data.dob} />)],
          [text('labs.age'), personal(data.age?.toString())],
          [text('labs.provider'), data.provider && <bdi>{data.provider}</bdi>],
          [text('labs.laboratory'), data.laboratory && <bdi>{data.laboratory}</bdi>],
          [text('labs.clia'), data.clia_number && <Code>{data.clia_number}</Code>],
          [
            text('labs.specimen'),
            personal(data.specimen_number && <Code>{data.specimen_number}</Code>),
          ],
          [text('labs.collected'), day(data.date_collected)],
          [text('labs.received'), day(data.date_received)],
          [text('labs.reported'), day(data.date_reported)],
          [
            text('labs.status'),
            <Fragment key="status">
              <OpenValue value={data.status} known={statuses} words={statusWords} />{' '}
              <ReportStatusMarks notices={besideStatus(notices, data.status)} />
            </Fragment>,
          ],
          [text('labs.interpretation'), <Interpretation key="read" value={data.interpretation} />],
        ]}
      />
      <OtherFields of={data} known={known} />
    </section>
  );
}

function BirthDate({ raw }: { raw: string }): ReactElement {
  const date = dayMonthYear(raw);
  return date === undefined ? <bdi>{raw}</bdi> : <Day date={date} raw={raw} />;
}

const statusWords = (value: string): MessageKey => `labs.status.${value}` as MessageKey;
