import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { METADATA_STATUSES } from '@caregate/domain';
import type { LabResultMetadata } from '@caregate/domain';
import { Code } from '../../components/controls.tsx';
import { Day } from '../../components/dates.tsx';
import { KeyValues, OpenValue, OtherFields } from '../../components/key-values.tsx';
import { hidden } from '../../state/mask.tsx';
import type { MessageKey } from '../../text/text.tsx';
import { useText } from '../../text/text.tsx';
import { dayMonthYear } from './identity/identity-check.ts';
import { besideStatus } from './report-status/report-status.ts';
import type { ReportNotice } from './report-status/report-status.ts';
import { ReportStatusMarks } from './report-status/report-status-banner.tsx';
import { Interpretation } from './results/result-details.tsx';
import styles from './labs.module.css';

const statuses = Object.values(METADATA_STATUSES);
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

/** Whose result it is, who ordered it and who measured. */
export function LabHeader(props: {
  readonly metadata: LabResultMetadata;
  /** Said beside the status. */
  readonly notices: readonly ReportNotice[];
  readonly masked: boolean;
}): ReactElement {
  const { metadata: data, notices, masked } = props;
  const text = useText();
  const day = (date: string | null | undefined): ReactElement | undefined =>
    date ? <Day date={date} /> : undefined;
  const personal = <T,>(value: T): T | string => (masked && value ? hidden : value);
  return (
    <section aria-label={text('labs.header')} className={styles['panel']}>
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
