import { CircleAlert } from 'lucide-react';
import { Fragment, type ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { EarlierResult, Insurance, LabOrderResult } from '@caregate/domain';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { useText } from '../../i18n/text.tsx';
import { findLastFlagged, getReportDate, toPoints } from '../labs/history/earlier-values.ts';
import type { DatedValue, FindEarlier } from '../labs/history/earlier-values.ts';
import { checkIdentity, isSamePatient, needsLook } from '../labs/identity/identity-check.ts';
import { Count, Flag } from '../labs/results/flag.tsx';
import { RangeWords } from '../labs/results/range-bar.tsx';
import { createGetName } from '../labs/results/result-names.ts';
import { countByGroup, getGroup, readResults, sortResults } from '../labs/results/result-order.ts';
import type { Group, ReadResult } from '../labs/results/result-order.ts';
import { isFlagged, interpretResult } from '../labs/results/result-reading.ts';
import styles from './overview.module.css';

const columns = [
  ...(['labs.name', 'labs.result', 'labs.flag', 'labs.range'] as const),
  ...(['history.previous', 'overview.trend'] as const),
] as const;
const plain: readonly Group[] = ['inside', 'noRange', 'notAssessed'];

/**
 * Shows the missing and the flagged results, and those that were flagged before. Nothing is shown of a report that may
 * be about another patient.
 */
export function LatestResults(props: {
  readonly result: LabOrderResult;
  readonly birthDates: readonly string[] | undefined;
  readonly insurance?: Insurance | undefined;
  readonly name: string | undefined;
  readonly findEarlier: FindEarlier;
}) {
  const { result, birthDates, insurance, name, findEarlier } = props;
  const text = useText();
  const intl = useIntl();
  const { metadata, results, missing_results: absent } = result;
  const isOther =
    needsLook(checkIdentity({ result, birthDates, insurance })) ||
    (name !== undefined &&
      metadata.patient &&
      !isSamePatient({ patient: metadata.patient }, { patient: name }));
  if (isOther) {
    return (
      <p className="line gap2 bold flagged">
        <Icon of={CircleAlert} />
        {text('identity.title')}
      </p>
    );
  }
  const missing = absent ?? [];
  const getName = createGetName(results, text);
  const all = sortResults(readResults(results), 'urgent');
  const flagged = all.filter(({ reading }) => !plain.includes(getGroup(reading)));
  const recovered = all.filter(
    ({ result: one, reading }) =>
      getGroup(reading) === 'inside' && findLastFlagged(findEarlier(one).slice(0, 1)) !== undefined,
  );
  const recoveredByDate = Map.groupBy(
    recovered,
    ({ result: one }) => findEarlier(one)[0]?.date ?? '',
  );
  const counts = countByGroup(
    all.filter((one) => !recovered.includes(one)),
    missing,
  );
  const toRow = ({ result: one, reading, place }: ReadResult): ReactElement => {
    const earlier = findEarlier(one);
    return (
      <tr key={place} data-of={reading.flag}>
        <th scope="row">
          <bdi>{getName(one)}</bdi>
        </th>
        <td>
          <span dir="ltr" className={styles['result']}>
            <bdi className="value">{one.result}</bdi> <Quiet>{one.unit}</Quiet>
          </span>
        </td>
        <td>{isFlagged(reading) && <Flag reading={reading} />}</td>
        <td>
          <RangeWords range={reading.range} />
        </td>
        <td>
          <Previous value={earlier[0]} />
        </td>
        <td>
          <Trend values={[{ date: getReportDate(result), measured: one }, ...earlier]} />
        </td>
      </tr>
    );
  };
  return (
    <>
      {missing.length + flagged.length + recovered.length > 0 && (
        <table className={styles['results']}>
          <thead className="quiet meta">
            <tr>
              {columns.map((key) => (
                <th key={key} scope="col">
                  {text(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {missing.map((one, place) => (
              <tr key={`missing ${String(place)}`}>
                <th scope="row">
                  <bdi>{one.name}</bdi>
                </th>
                <td colSpan={5}>
                  <span className="row gap2">
                    <Count group="missing" />
                    <bdi>{one.note ?? one.inferred_failure_type?.replaceAll('_', ' ')}</bdi>
                  </span>
                </td>
              </tr>
            ))}
            {flagged.map(toRow)}
            {[...recoveredByDate].map(([date, rows]) => (
              <Fragment key={date}>
                <tr>
                  <th scope="rowgroup" colSpan={6} className={styles['subhead']}>
                    {text('overview.inRangeNow', { date: formatDate(intl, date) })}
                  </th>
                </tr>
                {rows.map(toRow)}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
      <Quiet as="p" size="meta" className={styles['counts']}>
        {intl.formatList(
          plain
            .filter((group) => counts[group] > 0)
            .map((group) => text(`labs.group.${group}`, { count: counts[group] })),
          { type: 'unit' },
        )}
      </Quiet>
    </>
  );
}

/** Shows the latest earlier value in the same unit with its own flag. Its date is shown on hover. */
function Previous({ value }: { readonly value: EarlierResult | undefined }) {
  const intl = useIntl();
  if (value === undefined) return null;
  const reading = interpretResult(value.measured);
  return (
    <span className="row tight" data-of={reading.flag} title={formatDate(intl, value.date)}>
      <bdi dir="ltr" className={isFlagged(reading) ? 'value' : 'numbers'}>
        {value.measured.result}
      </bdi>
      {isFlagged(reading) && <Flag reading={reading} />}
    </span>
  );
}

/** A line of the values, oldest first. Screen readers get the values from the other columns. */
function Trend({ values }: { readonly values: readonly DatedValue[] }) {
  const numbers = toPoints(values).map(({ value }) => value);
  if (numbers.length < 2) return null;
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  const points = numbers.map((value, place) => ({
    x: 2 + (56 * place) / (numbers.length - 1),
    y: highest === lowest ? 10 : 18 - (16 * (value - lowest)) / (highest - lowest),
  }));
  const last = points.at(-1);
  return (
    <svg viewBox="0 0 60 20" aria-hidden="true" className={styles['trend']}>
      <polyline points={points.map(({ x, y }) => `${String(x)},${String(y)}`).join(' ')} />
      <circle cx={last?.x} cy={last?.y} r="2" />
    </svg>
  );
}
