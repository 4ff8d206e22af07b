import { MessageSquareText, Pencil } from 'lucide-react';
import { useIntl } from 'react-intl';
import { INFERRED_FAILURE_TYPES, isPreliminary, readMeasuredNumber } from '@caregate/domain';
import type { BiomarkerResult, EarlierResult, MissingBiomarkerResult } from '@caregate/domain';
import { useText, type MessageKey } from '../../../i18n/text.tsx';
import { VisuallyHidden } from '../../../ui/layout.tsx';
import { formatDate } from '../../../ui/values/dates.tsx';
import { OpenValue } from '../../../ui/values/open-value.tsx';
import { formatReplaced, type Correction } from '../history/corrections.ts';
import type { FindEarlier, Replaced } from '../history/earlier-values.ts';
import { ButtonTable } from './button-table.tsx';
import { Count, Counts, Flag } from './flag.tsx';
import { RangeBar, RangeWords } from './range-bar.tsx';
import { formatPanelName, type GetName } from './result-names.ts';
import { countByGroup, type PanelResults, type ReadResult } from './result-order.ts';
import { isFlagged, interpretResult } from './result-reading.ts';
import styles from './results.module.css';

const columns: readonly MessageKey[] = [
  ...(['labs.name', 'labs.result', 'labs.unit', 'labs.flag', 'labs.range'] as const),
  ...(['history.previous', 'history.date'] as const),
];

/** A result with more characters also takes up the unit column. */
const maxCharacters = 7;

/** The results grouped by panel. Enter or a click opens one. */
export function ResultTable(props: {
  readonly panels: readonly PanelResults[];
  readonly getName: GetName;
  readonly findEarlier: FindEarlier | undefined;
  readonly findReplaced: Correction['findReplaced'];
  /** The index of the result to focus. */
  readonly focused: number | undefined;
  readonly onOpen: (place: number) => void;
}) {
  const { panels, getName, findEarlier, findReplaced, focused, onOpen } = props;
  const text = useText();
  const isGrouped = panels.length > 1 || panels.some(({ panel }) => panel !== undefined);
  const namedPanels = panels.flatMap(({ panel }) => panel ?? []);
  return (
    <ButtonTable label={text('labs.results')} className={styles['results']}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {text(column)}
            </th>
          ))}
        </tr>
      </thead>
      {panels.map(({ panel, results, missing }, index) => (
        <tbody key={index}>
          {isGrouped && (
            <tr className={styles['panel']}>
              <th colSpan={columns.length} scope="rowgroup">
                <bdi>{formatPanelName(panel, namedPanels) ?? text('labs.panel.none')}</bdi>
                <span className="row wide meta">
                  <span className="quiet">
                    {text('labs.panel.tests', { count: results.length + missing.length })}
                  </span>
                  <Counts of={countByGroup(results, missing)} />
                </span>
              </th>
            </tr>
          )}
          {missing.map((one, place) => (
            <MissingRow key={place} missing={one} />
          ))}
          {results.map((read) => (
            <ResultRow
              key={read.place}
              read={read}
              name={getName(read.result)}
              last={findEarlier?.(read.result)[0]}
              replaced={findReplaced(read.result)}
              isFocused={read.place === focused}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      ))}
    </ButtonTable>
  );
}

function MissingRow({ missing }: { readonly missing: MissingBiomarkerResult }) {
  const { name, note, inferred_failure_type: why } = missing;
  return (
    <tr className={styles['row']}>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td colSpan={columns.length - 1} className={`row tight ${styles['wide'] ?? ''}`}>
        <Count group="missing" />{' '}
        {note ? (
          <bdi>{note}</bdi>
        ) : (
          <OpenValue value={why} knownValues={INFERRED_FAILURE_TYPES} getKey={getFailureKey} />
        )}
      </td>
    </tr>
  );
}

const getFailureKey = (value: string): MessageKey => `failure.${value}` as MessageKey;

function ResultRow(props: {
  readonly read: ReadResult;
  readonly name: string;
  readonly last: EarlierResult | undefined;
  readonly replaced: Replaced | undefined;
  readonly isFocused: boolean;
  readonly onOpen: (place: number) => void;
}) {
  const { name, last, replaced, isFocused, onOpen } = props;
  const { result, reading, place } = props.read;
  const text = useText();
  const number = readMeasuredNumber(result);
  const isText = reading.flag === 'noRange' && number === undefined;
  const isWide = isText && (result.type === 'comment' || last === undefined);
  const isLong = !isWide && Array.from(result.result).length > maxCharacters;
  const unit = result.unit && <bdi className={styles['unit']}>{result.unit}</bdi>;
  return (
    <tr className={styles['row']} data-of={reading.flag}>
      <th scope="row">
        <button
          type="button"
          className={`inset bare ${styles['name'] ?? ''}`}
          tabIndex={-1}
          autoFocus={isFocused}
          onClick={() => onOpen(place)}
        >
          <bdi>{name}</bdi>
        </button>{' '}
        {isPreliminary(result) && (
          <span className="inline quiet wrap tag">{text('labs.preliminary')}</span>
        )}
        {result.notes && (
          <span className={`quiet ${styles['note'] ?? ''}`} title={text('result.notes')}>
            <MessageSquareText aria-hidden="true" />
            <VisuallyHidden>{text('result.notes')}</VisuallyHidden>
          </span>
        )}
      </th>
      {isWide || isLong ? (
        <td
          colSpan={isWide ? columns.length - 1 : 2}
          dir={isWide ? undefined : 'ltr'}
          className={styles[isWide ? 'wide' : 'long']}
        >
          <bdi className="value">{result.result}</bdi> {unit}
          {isWide && <CorrectionNote replaced={replaced} now={result} />}
        </td>
      ) : (
        <>
          <td>
            <bdi dir="ltr" className="value">
              {result.result}
            </bdi>
          </td>
          <td>{unit}</td>
        </>
      )}
      {!isWide && (
        <>
          <td>
            {(isFlagged(reading) || reading.flag === 'notAssessed') && <Flag reading={reading} />}
            <CorrectionNote replaced={replaced} now={result} />
          </td>
          <td className={styles['range']}>
            <RangeWords range={reading.range} />
            <RangeBar value={number} range={reading.range} />
          </td>
          <Previous value={last} />
        </>
      )}
    </tr>
  );
}

function Previous({ value }: { readonly value: EarlierResult | undefined }) {
  const intl = useIntl();
  if (value === undefined) {
    return (
      <>
        <td />
        <td />
      </>
    );
  }
  const { measured, replaced, date } = value;
  const reading = interpretResult(measured);
  return (
    <>
      <td className={styles['previous']} data-of={reading.flag}>
        <bdi dir="ltr" className={`numbers ${isFlagged(reading) ? (styles['flagged'] ?? '') : ''}`}>
          {measured.result}
        </bdi>{' '}
        <span>
          {isFlagged(reading) && <Flag reading={reading} />}
          <CorrectionNote replaced={replaced} now={measured} />
        </span>
      </td>
      <td className="quiet numbers">
        <time dateTime={date}>{formatDate(intl, date)}</time>
      </td>
    </>
  );
}

/** Shows what a corrected result replaced before. */
export function CorrectionNote(props: {
  readonly replaced: Replaced | null | undefined;
  readonly now: BiomarkerResult;
}) {
  const { replaced, now } = props;
  const text = useText();
  if (replaced === undefined || replaced === null) return null;
  return (
    <span className={`inline gap1 noticed medium wrap ${styles['correction'] ?? ''}`}>
      <Pencil aria-hidden="true" />
      <span>
        <VisuallyHidden>{text('changes.corrected')} </VisuallyHidden>
        {formatReplaced(replaced, now, text)}
      </span>
    </span>
  );
}
