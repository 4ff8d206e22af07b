import { memo, useState } from 'react';
import type { ReactElement } from 'react';
import { Code } from '../../../components/controls.tsx';
import { Moment } from '../../../components/dates.tsx';
import { Flag } from './flag.tsx';
import { RangeBar } from './range-bar.tsx';
import { finite } from './reference-range.ts';
import type { ReferenceRange } from './reference-range.ts';
import type { MessageKey } from '../../../text/text.tsx';
import { useText } from '../../../text/text.tsx';
import type { ReadResult } from './result-order.ts';
import { ResultDetails } from './result-details.tsx';
import styles from '../labs.module.css';

const columns: readonly MessageKey[] = [
  'labs.flag',
  'labs.name',
  'labs.result',
  'labs.range',
  'labs.measured',
  'labs.notes',
  'labs.more',
];

/** The results in the order given, each with all its fields under it when asked for. */
export function ResultTable(props: {
  readonly results: readonly ReadResult[];
  readonly onCopy: (text: string) => void;
}): ReactElement {
  const { results, onCopy } = props;
  const text = useText();
  return (
    <div className={styles['scroll']}>
      <table
        aria-label={text('labs.results')}
        className={`${styles['table'] ?? ''} ${styles['results'] ?? ''}`}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {text(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {results.map((read) => (
            <Row key={read.place} read={read} onCopy={onCopy} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Row = memo(function Row(props: {
  readonly read: ReadResult;
  readonly onCopy: (text: string) => void;
}): ReactElement {
  const { read, onCopy } = props;
  const { result, reading, place } = read;
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const detailsId = `result-${place}`;
  return (
    <>
      <tr className={styles['row']}>
        <td>
          <Flag reading={reading} />
        </td>
        <th scope="row">
          <bdi>{result.name}</bdi>
          {result.loinc ? <Loinc code={result.loinc} onCopy={onCopy} /> : null}
        </th>
        <td className={styles['result']}>
          {/* A number comes before its unit in every language. */}
          <span dir="ltr">
            <bdi>{result.result}</bdi>{' '}
            {result.unit ? <bdi className={styles['unit']}>{result.unit}</bdi> : null}
          </span>
        </td>
        <td>
          <RangeBar value={barValue(read)} range={reading.range} />
          <RangeWords range={reading.range} />
        </td>
        <td>{result.timestamp ? <Moment plain at={result.timestamp} /> : null}</td>
        <td className={styles['notes']}>{result.notes ? <bdi>{result.notes}</bdi> : null}</td>
        <td>
          <button
            type="button"
            className={styles['small']}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            aria-label={text('labs.detailsOf', { name: result.name })}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            {text('labs.more')}
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr id={detailsId}>
          <td colSpan={columns.length}>
            <ResultDetails result={result} conflicts={reading.conflicts} />
          </td>
        </tr>
      )}
    </>
  );
});

function Loinc(props: { code: string; onCopy: (text: string) => void }): ReactElement {
  const { code, onCopy } = props;
  const text = useText();
  return (
    <span className={styles['loinc']}>
      {text('labs.loinc')} <Code>{code}</Code>
      <button
        type="button"
        className={styles['small']}
        aria-label={text('labs.copyLoinc', { code })}
        onClick={() => {
          onCopy(code);
        }}
      >
        {text('labs.copy')}
      </button>
    </span>
  );
}

/** A range in words. Numbers stay as the laboratory wrote them, in every language. */
function RangeWords({ range }: { range: ReferenceRange }): ReactElement {
  const text = useText();
  switch (range.kind) {
    case 'none':
      return <span className={styles['quiet']}>{text('range.none')}</span>;
    case 'from':
      return <span>{text('range.from', { min: String(range.min) })}</span>;
    case 'upTo':
      return <span>{text('range.upTo', { max: String(range.max) })}</span>;
    case 'between':
    case 'broken':
      return (
        <span>
          {text(`range.${range.kind}`, { min: String(range.min), max: String(range.max) })}
        </span>
      );
  }
}

/** Remarks and codes are text, whatever number stands beside them. */
function barValue({ result }: ReadResult): number | undefined {
  const isText = result.type === 'comment' || result.type === 'coded_value';
  return isText ? undefined : finite(result.value);
}
