import { Fragment } from 'react';
import type { ReactElement } from 'react';
import type { FlagName, Reading } from './result-reading.ts';
import type { Group } from './result-order.ts';
import { Unseen } from '../../../ui/layout.tsx';
import { useText } from '../../../i18n/text.tsx';
import styles from './flag.module.css';

type Flagged = Pick<Reading, 'flag' | 'direction' | 'conflicts' | 'unrecognised'>;

/** A result's flag as a word and a shape, drawn by the style; the colour only repeats it. */
export function Flag(props: {
  readonly reading: Flagged;
  /** Letters in place of words, which are then for screen readers and the pointer. */
  readonly short?: boolean;
}): ReactElement {
  const { reading, short = false } = props;
  const { flag, direction, conflicts, unrecognised } = reading;
  const also = direction !== undefined && direction !== flag ? direction : undefined;
  return (
    <span className={styles['flag']} data-flag={flag}>
      <span>
        {flag === 'unrecognised' ? (
          <Unrecognised words={unrecognised} />
        ) : (
          <Word flag={flag} short={short} />
        )}
        {also !== undefined && (
          <>
            {' '}
            <span className={styles['also']} data-flag={also}>
              <Word flag={also} short={short} />
            </span>
          </>
        )}
        {conflicts.length > 0 && flag !== 'conflict' && (
          <span className={`meta bold wrap ${styles['more'] ?? ''}`}>
            <Word flag="conflict" short={short} />
          </span>
        )}
      </span>
    </span>
  );
}

function Word({ flag, short }: { flag: FlagName; short: boolean }): ReactElement {
  const text = useText();
  const said = text(`flag.${flag}`);
  if (short) {
    return (
      <span title={said}>
        <span aria-hidden="true">{text(`flag.letter.${flag}`)}</span>
        <Unseen>{said}</Unseen>
      </span>
    );
  }
  return flag === 'critical' ? (
    <span title={text('flag.criticalSays')}>
      {said}
      <Unseen>{text('flag.criticalSays')}</Unseen>
    </span>
  ) : (
    <span>{said}</span>
  );
}

function Unrecognised({ words }: { words: readonly string[] }): ReactElement {
  const text = useText();
  return (
    <>
      <Unseen>{text('flag.unrecognised')}</Unseen>
      {words.map((value, place) => (
        <Fragment key={value}>
          {place > 0 && ' '}
          <bdi className="medium wrap">{text('value.quoted', { value })}</bdi>
        </Fragment>
      ))}
    </>
  );
}

const shapes: Readonly<Partial<Record<Group, string>>> = {
  critical: 'critical',
  conflict: 'conflict',
  outside: 'high',
  unrecognised: 'unrecognised',
  abnormal: 'abnormal',
  missing: 'missing',
};

/** How many results of a group a report has; without a count, that some are missing. */
export function Count(props: { readonly group: Group; readonly count?: number }): ReactElement {
  const { group, count } = props;
  const text = useText();
  return (
    <span className={styles['count']} data-shape={shapes[group]}>
      {count === undefined ? text('flag.missing') : text(`labs.group.${group}`, { count })}
    </span>
  );
}
