import { INTERPRETATIONS, METADATA_STATUSES, type LabResultMetadata } from '@caregate/domain';
import { Day } from '../../ui/values/dates.tsx';
import { useText, type Text } from '../../i18n/text.tsx';
import type { OrderState } from './order-facts.ts';
import { StateTag } from './orders/order-state.tsx';
import type { ReportNotice } from './report-status.tsx';
import styles from './labs.module.css';

/** Shows a report's laboratory, status, dates and ordering provider. */
export function LabHeader(props: {
  readonly metadata: LabResultMetadata;
  readonly notices: readonly ReportNotice[];
}) {
  const { metadata: data, notices } = props;
  const text = useText();
  const interpretation = describeInterpretation(data.interpretation, text);
  const [reported] = notices.flatMap((one) =>
    'source' in one && one.source === 'report' ? [one] : [],
  );
  const state = reported ?? readStatus(data.status);
  const facts = [
    ['labs.collected', data.date_collected && <Day date={data.date_collected} />],
    ['labs.reported', data.date_reported && <Day date={data.date_reported} />],
    ['result.orderedBy', data.provider && <bdi>{data.provider}</bdi>],
  ] as const;
  return (
    <header className={styles['head']}>
      <h2>
        <bdi>{data.laboratory ?? text('labs.noLaboratory')}</bdi>
        <StateTag state={state} />
        {interpretation && <span className="inline flagged wrap tag">{interpretation}</span>}
      </h2>
      <p className="quiet meta wrap">
        {/* The separator is in front of each span, so that a name in another text direction doesn't move it. */}
        {facts.map(
          ([label, value]) =>
            value && (
              <span key={label}>
                {text(label)} <b>{value}</b>
              </span>
            ),
        )}
      </p>
    </header>
  );
}

function readStatus(status: string | null | undefined): OrderState {
  if (!status) return { kind: 'none' };
  return status === METADATA_STATUSES.final ? { kind: 'final' } : { kind: 'unknown', word: status };
}

/** Describes the laboratory's interpretation of the report, unless the flags of the results say the same. */
export function describeInterpretation(
  value: string | null | undefined,
  text: Text,
): string | undefined {
  const { normal, abnormal, unknown, critical } = INTERPRETATIONS;
  if (!value || value === normal || value === abnormal || value === unknown) return undefined;
  const isCritical = value === critical;
  return text('labs.says', {
    word: isCritical ? text('flag.critical').toLowerCase() : text('value.quoted', { value }),
  });
}
