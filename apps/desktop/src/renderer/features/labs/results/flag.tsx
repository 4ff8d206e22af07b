import { Fragment } from 'react';
import { isFlagged, type FlagName, type Reading } from './result-reading.ts';
import type { Group } from './result-order.ts';
import { VisuallyHidden } from '../../../ui/layout.tsx';
import { useText } from '../../../i18n/text.tsx';
import styles from './flag.module.css';

type Flagged = Pick<Reading, 'flag' | 'direction' | 'conflicts' | 'unrecognised'>;

/** The flags that have a letter for narrow columns. */
export const LETTERED = ['critical', 'conflict', 'high', 'low', 'abnormal'] as const;

/** Shows a result's flag as a word with a color. High and low also have a shape. */
export function Flag(props: {
  readonly reading: Flagged;
  /** Shows letters instead of words. The words are shown on hover and read by screen readers. */
  readonly short?: boolean;
}) {
  const { reading, short = false } = props;
  const { flag, direction, conflicts, unrecognised } = reading;
  const words = [
    ...(flag === 'unrecognised' ? [] : [flag]),
    ...(direction !== undefined && direction !== flag ? [direction] : []),
    ...(conflicts.length > 0 && flag !== 'conflict' ? (['conflict'] as const) : []),
  ];
  return (
    <span
      className={`${styles['flag'] ?? ''} ${isFlagged(reading) ? '' : (styles['plain'] ?? '')}`}
      data-flag={flag}
      data-of={flag}
    >
      {flag === 'unrecognised' && <Unrecognised words={unrecognised} />}
      {words.map((word) => (
        <Fragment key={word}>
          <Word flag={word} short={short} />{' '}
        </Fragment>
      ))}
    </span>
  );
}

function Word({ flag, short }: { flag: FlagName; short: boolean }) {
  const text = useText();
  const word = text(`flag.${flag}`);
  const letter = short ? LETTERED.find((one) => one === flag) : undefined;
  const title = letter ? word : flag === 'critical' ? text('flag.criticalSays') : undefined;
  return (
    <span title={title} data-shape={flag === 'high' || flag === 'low' ? flag : undefined}>
      <span aria-hidden={letter !== undefined}>
        {letter ? text(`flag.letter.${letter}`) : word}
      </span>
      {title !== undefined && <VisuallyHidden>{title}</VisuallyHidden>}
    </span>
  );
}

function Unrecognised({ words }: { words: readonly string[] }) {
  const text = useText();
  return (
    <>
      <VisuallyHidden>{text('flag.unrecognised')}</VisuallyHidden>
      {words.map((value) => (
        <Fragment key={value}>
          <bdi className="medium wrap">{text('value.quoted', { value })}</bdi>{' '}
        </Fragment>
      ))}
    </>
  );
}

/** Shows the number of abnormal or missing results; without `count`, only that there are some. */
export function Count(props: { readonly group: 'abnormal' | 'missing'; readonly count?: number }) {
  const { group, count } = props;
  const text = useText();
  return (
    <Marked shape={group === 'abnormal' ? 'high' : 'missing'}>
      {count === undefined ? text(`flag.${group}`) : text(`labs.group.${group}`, { count })}
    </Marked>
  );
}

export function Marked(props: { readonly shape: 'high' | 'missing'; readonly children: string }) {
  const { shape, children } = props;
  return (
    <span className={styles['count']} data-of={shape} data-shape={shape}>
      {children}
    </span>
  );
}

/** Shows the counts that aren't zero. */
export function Counts({ of }: { readonly of: Readonly<Record<Group, number>> }) {
  return (
    <>
      {of.abnormal > 0 && <Count group="abnormal" count={of.abnormal} />}
      {of.missing > 0 && <Count group="missing" count={of.missing} />}
    </>
  );
}
