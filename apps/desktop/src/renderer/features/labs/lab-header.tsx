import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { INTERPRETATIONS, METADATA_STATUSES } from '@caregate/domain';
import type { LabResultMetadata } from '@caregate/domain';
import { Code } from '../../ui/controls.tsx';
import { Day, formatDay } from '../../ui/values/dates.tsx';
import { OpenValue } from '../../ui/values/open-value.tsx';
import { Row } from '../../ui/layout.tsx';
import { hidden, useMasked } from '../../app/mask.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import { useText } from '../../i18n/text.tsx';
import { parseDayMonthYear } from './identity/identity-check.ts';
import type { ReportNotice } from './report-status.tsx';
import styles from './labs.module.css';

const statuses = Object.values(METADATA_STATUSES);
const interpretations: readonly string[] = Object.values(INTERPRETATIONS);
export function LabHeader(props: {
  readonly metadata: LabResultMetadata;
  readonly orderId: string;
  readonly ordered?: string | null | undefined;
  readonly notices: readonly ReportNotice[];
  readonly children?: ReactNode;
}): ReactElement {
  const { metadata: data, orderId, ordered, notices, children } = props;
  const masked = useMasked();
  const text = useText();
  const intl = useIntl();
  // The banner shows the status in other words.
  const isInBanner = notices.some((notice) =>
    notice.kind === 'unrecognised'
      ? notice.words.includes(data.status ?? '')
      : 'source' in notice && notice.source === 'report',
  );
  const maskPersonal = (value: ReactNode): ReactNode => (masked ? hidden : value);
  const facts: readonly (readonly [MessageKey | undefined, ReactNode])[] = [
    ['labs.about', data.patient && <strong>{maskPersonal(<bdi>{data.patient}</bdi>)}</strong>],
    ['patient.born', data.dob && <strong>{maskPersonal(<BirthDate raw={data.dob} />)}</strong>],
    ['awaited.step.ordered', ordered && formatDay(intl, ordered)],
    ['labs.collected', data.date_collected && <Day date={data.date_collected} />],
    ['labs.reported', data.date_reported && <Day date={data.date_reported} />],
    [undefined, data.provider && <bdi>{data.provider}</bdi>],
    ['labs.specimen', data.specimen_number && maskPersonal(<Code>{data.specimen_number}</Code>)],
    ['labs.orderId', maskPersonal(<Code>{orderId}</Code>)],
  ];
  return (
    <header className={styles['head']}>
      <div>
        <h2>
          <bdi>{data.laboratory ?? text('labs.noLaboratory')}</bdi>
          {!isInBanner && (
            <span className="inline quiet wrap tag">
              <OpenValue value={data.status} knownValues={statuses} getKey={getStatusKey} />
            </span>
          )}
          <Interpretation value={data.interpretation} />
        </h2>
        <p className={`quiet row13 wrap ${styles['facts'] ?? ''}`}>
          {/* The separator is in front of each span, where a name's direction doesn't move it. */}
          {facts.map(
            ([label, value], index) =>
              value && (
                <span key={index}>
                  {label && text(label)} {value}
                </span>
              ),
          )}
        </p>
      </div>
      <Row>{children}</Row>
    </header>
  );
}

function Interpretation({ value }: { value: string | null | undefined }): ReactElement | null {
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

function BirthDate({ raw }: { raw: string }): ReactElement {
  const date = parseDayMonthYear(raw);
  return date === undefined ? <bdi>{raw}</bdi> : <Day date={date} raw={raw} />;
}

const getStatusKey = (value: string): MessageKey => `labs.status.${value}` as MessageKey;
