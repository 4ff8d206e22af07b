import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { useText } from '../../../text/text.tsx';
import { changeOf, pairsOf } from '../history/versions.ts';
import { Flag } from '../results/flag.tsx';
import { RangeWords } from '../ranges/range-bar.tsx';
import { readingOf } from '../results/result-reading.ts';
import styles from './compare.module.css';

/** Two reports, one biomarker per row. */
export function ComparedTable(props: {
  readonly now: LabOrderResult;
  readonly before: LabOrderResult;
  readonly heads: readonly [now: string, before: string];
}): ReactElement {
  const { now, before, heads } = props;
  const text = useText();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = useMemo(
    () => pairsOf(now, before).map((pair) => ({ ...pair, change: changeOf(pair) })),
    [now, before],
  );
  const different = rows.filter(({ change }) => change !== undefined);
  const shown = onlyDifferent ? different : rows;
  return (
    <>
      <p className={styles['count']}>
        {text('compare.different', { count: different.length, total: rows.length })}{' '}
        <button
          type="button"
          aria-pressed={onlyDifferent}
          onClick={() => {
            setOnlyDifferent(!onlyDifferent);
          }}
        >
          {text('compare.onlyDifferent')}
        </button>
      </p>
      <div
        className={styles['scroll']}
        tabIndex={0}
        role="region"
        aria-label={text('labs.results')}
      >
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{text('labs.name')}</th>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
              <th scope="col">{text('compare.difference')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ now: mine, before: theirs, change }, place) => (
              <tr key={place} data-change={change}>
                <th scope="row">
                  <bdi>{mine?.name ?? theirs?.name}</bdi>
                </th>
                <td>
                  <Measured of={mine} missing={isMissing(now, mine ?? theirs)} />
                </td>
                <td>
                  <Measured of={theirs} missing={isMissing(before, mine ?? theirs)} />
                </td>
                <td>{change === undefined ? '' : text(`compare.change.${change}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Measured(props: {
  readonly of: BiomarkerResult | undefined;
  readonly missing: boolean;
}): ReactElement {
  const { of, missing } = props;
  const text = useText();
  if (of === undefined) {
    return (
      <span className={styles['quiet']}>{text(missing ? 'flag.missing' : 'compare.absent')}</span>
    );
  }
  const reading = readingOf(of);
  return (
    <>
      <span dir="ltr" className={styles['measured']}>
        <bdi className={styles['value']}>{of.result}</bdi>{' '}
        {of.unit ? <bdi className={styles['quiet']}>{of.unit}</bdi> : null}
      </span>{' '}
      <Flag reading={reading} />{' '}
      {reading.range.kind !== 'none' && <RangeWords range={reading.range} />}
      {reading.reportedNormal && (
        <span className={styles['quiet']}> {text('flag.reportedNormal')}</span>
      )}
      {of.notes ? <bdi className={styles['note']}>{of.notes}</bdi> : null}
    </>
  );
}

function isMissing(
  { missing_results: missing }: LabOrderResult,
  of: BiomarkerResult | undefined,
): boolean {
  return (missing ?? []).some((one) => one.slug === of?.slug);
}
