import type { ReactElement } from 'react';
import { useMemo } from 'react';
import type { BiomarkerResult, MissingBiomarkerResult } from '@caregate/domain';
import { Day } from '../../../components/values/dates.tsx';
import type { MessageKey } from '../../../text/text.tsx';
import { segments } from '../../../components/segmented-control.tsx';
import { useText } from '../../../text/text.tsx';
import { commonDate } from '../history/earlier-values.ts';
import type { EarlierOf } from '../history/earlier-values.ts';
import type { NameOf } from '../../../components/results/result-names.ts';
import { Count } from '../../../components/results/flag.tsx';
import { GROUPS } from '../../../components/results/result-order.ts';
import type { Group, ReadResult } from '../../../components/results/result-order.ts';
import { MissingRow } from './missing-row.tsx';
import { ResultRow } from './result-row.tsx';
import labs from '../labs.module.css';
import styles from './results.module.css';

const columns: readonly MessageKey[] = ['labs.flag', 'labs.name', 'labs.result', 'labs.range'];
const allColumns = 8;

export interface BesideResults {
  readonly nameOf: NameOf;
  readonly earlierOf: EarlierOf | undefined;
  readonly canCompare: (result: BiomarkerResult) => boolean;
  /** Date of this report, YYYY-MM-DD. */
  readonly date: string;
  readonly wasOf: (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;
}

export function ResultTable(props: {
  readonly missing: readonly MissingBiomarkerResult[];
  readonly results: readonly ReadResult[];
  readonly beside: BesideResults;
  readonly onCopy: (text: string) => void;
}): ReactElement {
  const { missing, results, beside, onCopy } = props;
  const { nameOf, earlierOf, canCompare, date, wasOf } = beside;
  const text = useText();
  const common = useMemo(
    () =>
      commonDate(
        earlierOf === undefined
          ? []
          : results.flatMap(({ result }) =>
              earlierOf(result)
                .slice(0, 1)
                .map((one) => one.date),
            ),
      ),
    [earlierOf, results],
  );
  return (
    <div
      className={`inset ${labs['scroll'] ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={text('labs.results')}
    >
      <table aria-label={text('labs.results')} className={styles['results']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {text(column)}
              </th>
            ))}
            <th scope="col">
              <span>{text('history.previous')}</span>
              {common !== undefined && (
                <small>
                  <Day date={common} />
                </small>
              )}
            </th>
            <th scope="col">{text('history.trend')}</th>
            <th scope="col">
              <span className="unseen">{text('labs.more')}</span>
            </th>
            <th scope="col" className="unseen">
              {text('labs.notes')}
            </th>
          </tr>
        </thead>
        <tbody>
          {missing.map((one, place) => (
            <MissingRow key={place} missing={one} />
          ))}
          {results.map((read) => (
            <ResultRow
              key={read.place}
              read={read}
              name={nameOf(read.result)}
              earlier={earlierOf?.(read.result)}
              canCompare={canCompare(read.result)}
              common={common}
              date={date}
              was={wasOf(read.result)}
              columns={allColumns}
              onCopy={onCopy}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Summary(props: {
  readonly counts: Readonly<Record<Group, number>>;
  readonly only: Group | undefined;
  readonly onOnly: (group: Group | undefined) => void;
}): ReactElement {
  const { counts, only, onOnly } = props;
  const text = useText();
  const all = GROUPS.reduce((sum, group) => sum + counts[group], 0);
  return (
    <div
      role="group"
      aria-label={text('labs.summary')}
      className={`${segments.options} ${styles['filters'] ?? ''}`}
    >
      <button
        type="button"
        className={segments.option}
        aria-pressed={only === undefined}
        onClick={() => {
          onOnly(undefined);
        }}
      >
        {text('labs.group.all', { count: all })}
      </button>
      {GROUPS.filter((group) => counts[group] > 0).map((group) => (
        <button
          key={group}
          type="button"
          className={segments.option}
          aria-pressed={only === group}
          onClick={() => {
            onOnly(only === group ? undefined : group);
          }}
        >
          <Count group={group} count={counts[group]} />
        </button>
      ))}
    </div>
  );
}
