import type { KeyboardEvent, ReactElement } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { BiomarkerResult } from '@caregate/domain';
import type { MessageKey } from '../../../i18n/text.tsx';
import { segments } from '../../../ui/segmented-control.tsx';
import { useText } from '../../../i18n/text.tsx';
import type { EarlierOf } from '../history/earlier-values.ts';
import type { NameOf } from './result-names.ts';
import { panelName } from './result-names.ts';
import { Count } from './flag.tsx';
import { PanelHeading } from './panel-heading.tsx';
import { GROUPS } from './result-order.ts';
import type { Group, PanelResults } from './result-order.ts';
import { MissingRow } from './missing-row.tsx';
import { ResultRow } from './result-row.tsx';
import labs from '../labs.module.css';
import styles from './results.module.css';

const columns: readonly MessageKey[] = [
  'labs.name',
  'labs.result',
  'labs.flag',
  'labs.range',
  'history.previous',
  'history.date',
];

export interface BesideResults {
  readonly nameOf: NameOf;
  readonly earlierOf: EarlierOf | undefined;
  readonly canCompare: (result: BiomarkerResult) => boolean;
  readonly wasOf: (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;
}

/** Arrows move from result to result; Enter or a click opens one. */
export function ResultTable(props: {
  readonly panels: readonly PanelResults[];
  readonly beside: BesideResults;
  /** The result to focus, by its place in the report. */
  readonly focused: number | undefined;
  readonly onOpen: (place: number) => void;
}): ReactElement {
  const { panels, beside, focused, onOpen } = props;
  const { nameOf, earlierOf, canCompare, wasOf } = beside;
  const text = useText();
  const places = panels.flatMap(({ results }) => results.map(({ place }) => place));
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const [at, setAt] = useState(focused);
  const current = at !== undefined && places.includes(at) ? at : places[0];
  useEffect(() => {
    if (focused !== undefined) buttons.current.get(focused)?.focus();
  }, [focused]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, altKey, metaKey } = event;
    const isResult = event.target instanceof HTMLButtonElement;
    const next = current === undefined ? undefined : placeAfter(key, current, places);
    if (!isResult || next === undefined || ctrlKey || altKey || metaKey) return;
    event.preventDefault();
    buttons.current.get(next)?.focus();
  };
  const isGrouped = panels.length > 1 || panels.some(({ panel }) => panel !== undefined);
  const named = panels.flatMap(({ panel }) => panel ?? []);
  return (
    <div
      className={`inset ${labs['scroll'] ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={text('labs.results')}
    >
      <table aria-label={text('labs.results')} className={styles['results']} onKeyDown={onKeyDown}>
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
                  <PanelHeading name={panelName(panel, named)} of={{ results, missing }} />
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
                name={nameOf(read.result)}
                earlier={earlierOf?.(read.result)}
                canCompare={canCompare(read.result)}
                was={wasOf(read.result)}
                isCurrent={read.place === current}
                buttons={buttons}
                onFocus={setAt}
                onOpen={onOpen}
              />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function placeAfter(key: string, current: number, places: readonly number[]): number | undefined {
  const index = places.indexOf(current);
  switch (key) {
    case 'ArrowDown':
      return places[index + 1] ?? current;
    case 'ArrowUp':
      return places[index - 1] ?? current;
    case 'Home':
      return places[0];
    case 'End':
      return places.at(-1);
    default:
      return undefined;
  }
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
