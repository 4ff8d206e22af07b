import { Pencil } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { INFERRED_FAILURE_TYPES, isPreliminary, readMeasuredNumber } from '@caregate/domain';
import type { BiomarkerResult, EarlierResult, MissingBiomarkerResult } from '@caregate/domain';
import type { MessageKey } from '../../../i18n/text.tsx';
import { useText } from '../../../i18n/text.tsx';
import { VisuallyHidden } from '../../../ui/layout.tsx';
import { formatDate } from '../../../ui/values/dates.tsx';
import { OpenValue } from '../../../ui/values/open-value.tsx';
import { formatReplaced } from '../history/corrections.ts';
import type { Correction } from '../history/corrections.ts';
import type { FindEarlier, Replaced } from '../history/earlier-values.ts';
import { ButtonTable } from './button-table.tsx';
import { Count, Flag } from './flag.tsx';
import { RangeBar, RangeWords } from './range-bar.tsx';
import { formatPanelName } from './result-names.ts';
import type { GetName } from './result-names.ts';
import { FLAGGED_GROUPS, countByGroup } from './result-order.ts';
import type { PanelResults, ReadResult } from './result-order.ts';
import { isFlagged, interpretResult } from './result-reading.ts';
import styles from './results.module.css';

const columns: readonly MessageKey[] = [
  'labs.name',
  'labs.result',
  'labs.flag',
  'labs.range',
  'history.previous',
  'history.date',
];

/** The results under their panels. Enter or a click opens one. */
export function ResultTable(props: {
  readonly panels: readonly PanelResults[];
  readonly getName: GetName;
  readonly findEarlier: FindEarlier | undefined;
  /** Whether something identifies this test across reports. */
  readonly canCompare: (result: BiomarkerResult) => boolean;
  readonly findReplaced: Correction['findReplaced'];
  /** The result to focus, by its place in the report. */
  readonly focused: number | undefined;
  readonly onOpen: (place: number) => void;
}): ReactElement {
  const { panels, getName, findEarlier, canCompare, findReplaced, focused, onOpen } = props;
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
          <th scope="col" className="unseen">
            {text('labs.notes')}
          </th>
        </tr>
      </thead>
      {panels.map(({ panel, results, missing }, index) => (
        <tbody key={index}>
          {isGrouped && (
            <tr className={styles['panel']}>
              <th colSpan={columns.length + 1} scope="rowgroup">
                <bdi>{formatPanelName(panel, namedPanels) ?? text('labs.panel.none')}</bdi>
                <PanelCounts results={results} missing={missing} />
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
              earlier={findEarlier?.(read.result)}
              canCompare={canCompare(read.result)}
              was={findReplaced(read.result)}
              isFocused={read.place === focused}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      ))}
    </ButtonTable>
  );
}

/** How many tests a panel has, and how many of them need attention. */
function PanelCounts(props: Pick<PanelResults, 'results' | 'missing'>): ReactElement {
  const { results, missing } = props;
  const text = useText();
  const counts = countByGroup(results, missing);
  return (
    <span className="row wide meta">
      <span className="quiet">
        {text('labs.panel.tests', { count: results.length + missing.length })}
      </span>
      {FLAGGED_GROUPS.filter((group) => counts[group] > 0).map((group) => (
        <Count key={group} group={group} count={counts[group]} />
      ))}
    </span>
  );
}

function MissingRow({ missing }: { readonly missing: MissingBiomarkerResult }): ReactElement {
  const { name, note, inferred_failure_type: why } = missing;
  return (
    <tr className={styles['row']}>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td colSpan={5} className={`row tight ${styles['wide'] ?? ''}`}>
        <Count group="missing" /> {note ? <bdi>{note}</bdi> : null}{' '}
        <span className="quiet">
          <OpenValue value={why} knownValues={INFERRED_FAILURE_TYPES} getKey={getFailureKey} />
        </span>
      </td>
    </tr>
  );
}

const getFailureKey = (value: string): MessageKey => `failure.${value}` as MessageKey;

function ResultRow(props: {
  readonly read: ReadResult;
  readonly name: string;
  readonly earlier: readonly EarlierResult[] | undefined;
  readonly canCompare: boolean;
  readonly was: Replaced | undefined;
  readonly isFocused: boolean;
  readonly onOpen: (place: number) => void;
}): ReactElement {
  const { name, earlier, canCompare, was, isFocused, onOpen } = props;
  const { result, reading, place } = props.read;
  const text = useText();
  const intl = useIntl();
  const { conflicts } = reading;
  const last = earlier?.[0];
  // A result that is text and has no reference range spans the other columns.
  const number = readMeasuredNumber(result);
  const isTextResult = reading.flag === 'noRange' && number === undefined;
  const isWide = isTextResult && (result.type === 'comment' || last === undefined);
  return (
    <tr className={styles['row']} data-of={reading.flag}>
      <th scope="row">
        <button
          type="button"
          className={`inset bare ${styles['name'] ?? ''}`}
          tabIndex={-1}
          autoFocus={isFocused}
          onClick={() => {
            onOpen(place);
          }}
        >
          <bdi>{name}</bdi>
        </button>{' '}
        {isPreliminary(result) && (
          <span className="inline quiet wrap tag">{text('labs.preliminary')}</span>
        )}
        <Was was={was} now={result} />
      </th>
      <td colSpan={isWide ? 5 : undefined} className={isWide ? styles['wide'] : styles['result']}>
        <span dir={isWide ? 'auto' : 'ltr'} className={styles['measured']}>
          <bdi className="value">{result.result}</bdi>
          {result.unit ? (
            <>
              {' '}
              <bdi className={styles['unit']}>{result.unit}</bdi>
            </>
          ) : null}
        </span>{' '}
        {isWide && <Flag reading={reading} />}
        {isWide && reading.reportedNormal && <ReportedNormal />}
      </td>
      {!isWide && (
        <>
          <td>{reading.flag !== 'normal' && <Flag reading={reading} />}</td>
          <td className={styles['range']}>
            {reading.reportedNormal ? <ReportedNormal /> : <RangeWords range={reading.range} />}
            <RangeBar value={number} range={reading.range} />
          </td>
          {last === undefined ? (
            <td>
              {earlier !== undefined && canCompare && result.type !== 'comment' && (
                <span className="quiet">{text('history.first')}</span>
              )}
            </td>
          ) : (
            <>
              <td>
                <Previous value={last} />
              </td>
              <td className="quiet">
                <time dateTime={last.date}>{formatDate(intl, last.date)}</time>
              </td>
            </>
          )}
        </>
      )}
      {(result.notes || conflicts.length > 0) && (
        <td className={styles['notes']}>
          {conflicts.length > 0 && (
            <span className="bold unsure">
              {conflicts.map((conflict) => text(`conflict.${conflict}`)).join(' ')}{' '}
            </span>
          )}
          {result.notes ? <bdi>{result.notes}</bdi> : null}
        </td>
      )}
    </tr>
  );
}

function ReportedNormal(): ReactElement {
  const text = useText();
  return <span className="quiet">{text('flag.reportedNormal')}</span>;
}

function Previous({ value }: { readonly value: EarlierResult }): ReactElement {
  const { measured, replaced } = value;
  const reading = interpretResult(measured);
  return (
    <span className="row tight" data-of={reading.flag}>
      <bdi dir="ltr" className={`numbers ${isFlagged(reading) ? (styles['flagged'] ?? '') : ''}`}>
        {measured.result}
      </bdi>{' '}
      {isFlagged(reading) && <Flag reading={reading} />}
      <Was was={replaced} now={measured} />
    </span>
  );
}

/** What a corrected result was before. */
export function Was(props: {
  readonly was: Replaced | null | undefined;
  readonly now: BiomarkerResult;
}): ReactElement | null {
  const { was, now } = props;
  const text = useText();
  if (was === undefined || was === null) return null;
  return (
    <span className="inline quiet wrap tag marked">
      <Pencil aria-hidden="true" />
      <span>
        <VisuallyHidden>{text('changes.corrected')} </VisuallyHidden>
        {formatReplaced(was, now, text)}
      </span>
    </span>
  );
}
