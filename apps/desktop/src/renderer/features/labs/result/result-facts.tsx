import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { hidden, useMasked } from '../../../app/mask.tsx';
import { useText, type MessageKey } from '../../../i18n/text.tsx';
import { Code } from '../../../ui/controls.tsx';
import { Quiet } from '../../../ui/layout.tsx';
import { Facts } from '../../../ui/surfaces.tsx';
import { Day, formatDay, formatDate } from '../../../ui/values/dates.tsx';
import type { OpenResult } from './result-view.tsx';
import styles from './result-view.module.css';

/** Shows the specimen, the order and the notes of a result. */
export function ResultFacts({ open }: { readonly open: OpenResult }) {
  const { result, metadata, orderId, ordered, values } = open;
  const text = useText();
  const intl = useIntl();
  const isMasked = useMasked();
  const { specimen_number: specimen, date_collected: collected } = metadata;
  const { date_received: received, date_reported: reported } = metadata;
  const { provider, laboratory, clia_number: clia } = metadata;
  const notes = values.filter(({ measured }) => (measured.notes ?? '') !== '');
  return (
    <aside className={styles['beside']}>
      <section>
        <h3>{text('labs.specimen')}</h3>
        <NonEmptyFacts
          entries={[
            ['result.number', specimen && (isMasked ? hidden : <Code>{specimen}</Code>)],
            ['labs.collected', collected && <Day date={collected} />],
            ['labs.received', received && <Day date={received} />],
            ['labs.reported', reported && <Day date={reported} />],
          ]}
        />
      </section>
      <section>
        <h3>{text('result.orderedBy')}</h3>
        <NonEmptyFacts
          entries={[
            ['labs.provider', provider && <bdi>{provider}</bdi>],
            ['result.ordered', ordered && formatDay(intl, ordered)],
            ['labs.orderId', isMasked ? hidden : <Code>{orderId}</Code>],
            [
              'labs.laboratory',
              (laboratory || clia) && (
                <>
                  <bdi>{laboratory}</bdi>
                  {clia && (
                    <Quiet as="p" size="meta">
                      {text('labs.clia')} <Code>{clia}</Code>
                    </Quiet>
                  )}
                </>
              ),
            ],
          ]}
        />
      </section>
      {notes.length > 0 && (
        <section>
          <h3>{text('result.notes')}</h3>
          {notes.map(({ measured, date, laboratory: of }, index) => (
            <blockquote key={index}>
              <bdi>{measured.notes}</bdi>
              <Quiet as="p" size="meta">
                {[
                  measured !== result && text('result.noteOn', { day: formatDate(intl, date) }),
                  of && `\u2068${of}\u2069`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Quiet>
            </blockquote>
          ))}
        </section>
      )}
    </aside>
  );
}

export function NonEmptyFacts(props: {
  readonly entries: readonly (readonly [label: MessageKey, value: ReactNode])[];
}) {
  const text = useText();
  const nonEmpty = props.entries.filter(([, value]) => Boolean(value));
  return <Facts entries={nonEmpty.map(([label, value]) => [text(label), value] as const)} />;
}
