import type { ReactElement, ReactNode } from 'react';
import { hidden, useMasked } from '../state/mask.tsx';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';
import styles from './key-values.module.css';

export type KeyValue = readonly [label: string, value: ReactNode];

export function KeyValues({ entries }: { entries: readonly KeyValue[] }): ReactElement {
  const text = useText();
  return (
    <dl className={styles['list']}>
      {entries.map(([label, value], index) => (
        <div key={index} className={`narrow ${styles['pair'] ?? ''}`}>
          <dt>{label}</dt>
          <dd>
            {value === undefined || value === null || value === '' ? text('value.none') : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const deepest = 5;

/** Any value, as nested keys and lists. Nobody knows what is in it, so the mask hides all of it. */
export function AnyValue({ value, depth = 0 }: { value: unknown; depth?: number }): ReactElement {
  const text = useText();
  const masked = useMasked();
  if (value === null || value === undefined) return <>{text('value.null')}</>;
  if (masked) return <>{hidden}</>;
  if (typeof value !== 'object') return <bdi className={styles['verbatim']}>{plain(value)}</bdi>;
  if (depth >= deepest) return <code className={styles['verbatim']}>{JSON.stringify(value)}</code>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <>{text('value.emptyList')}</>;
    return (
      <ol className={styles['items']}>
        {value.map((item: unknown, index) => (
          <li key={index}>
            <AnyValue value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
    );
  }
  return (
    <KeyValues
      entries={Object.entries(value as Readonly<Record<string, unknown>>).map(([key, inner]) => [
        key,
        <AnyValue key={key} value={inner} depth={depth + 1} />,
      ])}
    />
  );
}

export function OtherFields(props: {
  readonly of: object;
  readonly known: readonly string[];
}): ReactElement | null {
  const text = useText();
  const others = Object.entries(props.of).filter(([key]) => !props.known.includes(key));
  if (others.length === 0) return null;
  return (
    <section>
      <p className="quiet help bold">{text('value.otherFields')}</p>
      <AnyValue value={Object.fromEntries(others)} />
    </section>
  );
}

/** A value of an open enum; an unknown one is shown unchanged and marked. */
export function OpenValue(props: {
  readonly value: string | null | undefined;
  readonly known: readonly string[];
  readonly words?: (value: string) => MessageKey | undefined;
}): ReactElement {
  const { value, known, words } = props;
  const text = useText();
  if (value === null || value === undefined) return <>{text('value.none')}</>;
  if (!known.includes(value)) {
    return (
      <strong className="noticed wrap">
        <bdi>{text('value.quoted', { value })}</bdi> {text('value.unrecognised')}
      </strong>
    );
  }
  const key = words?.(value);
  return key === undefined ? <bdi>{value.replaceAll('_', ' ')}</bdi> : <>{text(key)}</>;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
