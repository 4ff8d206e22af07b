import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { hidden, useMasked } from '../../../app/mask.tsx';
import type { MessageKey } from '../../../i18n/text.tsx';
import { useText } from '../../../i18n/text.tsx';
import { Button, Code } from '../../../ui/controls.tsx';
import { Quiet } from '../../../ui/layout.tsx';
import { Facts } from '../../../ui/surfaces.tsx';
import { Day, formatDay, formatDate, Moment } from '../../../ui/values/dates.tsx';
import type { OpenResult } from './result-view.tsx';
import styles from './result-view.module.css';

/** The specimen, the order and the notes of a result. */
export function ResultFacts(props: {
  readonly open: OpenResult;
  readonly onCopy: (text: string) => void;
}): ReactElement {
  const { result, metadata, orderId, ordered, values } = props.open;
  const text = useText();
  const intl = useIntl();
  const isMasked = useMasked();
  const { loinc, timestamp } = result;
  const {
    specimen_number: specimen,
    date_collected: collected,
    date_received: received,
  } = metadata;
  const { date_reported: reported, provider, laboratory, clia_number: clia } = metadata;
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
            ['labs.measured', timestamp && <Moment at={timestamp} />],
            ['labs.reported', reported && <Day date={reported} />],
          ]}
        />
      </section>
      <section>
        <h3>{text('result.orderedBy')}</h3>
        <NonEmptyFacts
          entries={[
            ['labs.provider', provider && <bdi>{provider}</bdi>],
            ['awaited.step.ordered', ordered && formatDay(intl, ordered)],
            ['labs.orderId', isMasked ? hidden : <Code>{orderId}</Code>],
            ['labs.laboratory', laboratory && <bdi>{laboratory}</bdi>],
            ['labs.clia', clia && <Code>{clia}</Code>],
            [
              'labs.loinc',
              loinc && (
                <>
                  <Code>{loinc}</Code>{' '}
                  <Button
                    aria-label={text('labs.copyLoinc', { code: loinc })}
                    onPress={() => {
                      props.onCopy(loinc);
                    }}
                  >
                    {text('labs.copy')}
                  </Button>
                </>
              ),
            ],
          ]}
        />
      </section>
      {notes.length > 0 && (
        <section>
          <h3>{text('result.notes')}</h3>
          {notes.map(({ measured, date }, index) => (
            <blockquote key={index}>
              <bdi>{measured.notes}</bdi>
              {measured !== result && (
                <Quiet as="p" size="meta">
                  {text('result.noteOn', { day: formatDate(intl, date) })}
                </Quiet>
              )}
            </blockquote>
          ))}
        </section>
      )}
    </aside>
  );
}

function NonEmptyFacts(props: {
  readonly entries: readonly (readonly [label: MessageKey, value: ReactNode])[];
}): ReactElement {
  const text = useText();
  const nonEmpty = props.entries.filter(([, value]) => Boolean(value));
  return <Facts entries={nonEmpty.map(([label, value]) => [text(label), value] as const)} />;
}
