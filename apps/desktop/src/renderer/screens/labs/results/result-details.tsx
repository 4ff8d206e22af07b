import type { ReactElement } from 'react';
import { BIOMARKER_TYPES, INTERPRETATIONS } from '@caregate/domain';
import type { BiomarkerResult, SourceMarker } from '@caregate/domain';
import { Stack } from '../../../components/layout.tsx';
import { Button, Code } from '../../../components/controls.tsx';
import { Moment } from '../../../components/values/dates.tsx';
import { KeyValues, OpenValue, OtherFields } from '../../../components/key-values.tsx';
import type { KeyValue } from '../../../components/key-values.tsx';
import type { MessageKey } from '../../../text/text.tsx';
import { useText } from '../../../text/text.tsx';
import styles from './results.module.css';

const interpretations = Object.values(INTERPRETATIONS);
const types = Object.values(BIOMARKER_TYPES);
const known = [
  'name',
  'slug',
  'value',
  'result',
  'type',
  'unit',
  'timestamp',
  'notes',
  'min_range_value',
  'max_range_value',
  'is_above_max_range',
  'is_below_min_range',
  'interpretation',
  'loinc',
  'loinc_slug',
  'provider_id',
  'source_markers',
];

export function ResultDetails(props: {
  readonly result: BiomarkerResult;
  readonly onCopy?: (text: string) => void;
}): ReactElement {
  const { result, onCopy } = props;
  const text = useText();
  const yesOrNo = (flag: boolean | null | undefined): string | undefined =>
    flag === null || flag === undefined ? undefined : text(flag ? 'value.yes' : 'value.no');
  return (
    <Stack gap="gap3" className={styles['details']}>
      <KeyValues
        entries={[
          [text('labs.result'), <bdi key="result">{result.result}</bdi>],
          [text('labs.value'), result.value?.toString()],
          [text('labs.unit'), result.unit && <bdi>{result.unit}</bdi>],
          [text('labs.type'), <OpenValue key="type" value={result.type} known={types} />],
          [text('labs.min'), result.min_range_value?.toString()],
          [text('labs.max'), result.max_range_value?.toString()],
          [text('labs.above'), yesOrNo(result.is_above_max_range)],
          [text('labs.below'), yesOrNo(result.is_below_min_range)],
          [
            text('labs.interpretation'),
            <Interpretation key="interpretation" value={result.interpretation} />,
          ],
          [text('labs.measured'), result.timestamp && <Moment at={result.timestamp} />],
          [text('labs.notes'), result.notes && <bdi>{result.notes}</bdi>],
          ...useCodes(result, onCopy),
        ]}
      />
      <SourceMarkers of={result.source_markers} />
      <OtherFields of={result} known={known} />
    </Stack>
  );
}

type Coded = Pick<BiomarkerResult, 'slug' | 'loinc' | 'loinc_slug' | 'provider_id'>;

export function useCodes(of: Coded, onCopy?: (text: string) => void): readonly KeyValue[] {
  const text = useText();
  return [
    [text('labs.slug'), <Code key="slug">{of.slug}</Code>],
    [text('labs.loinc'), of.loinc && <Loinc code={of.loinc} onCopy={onCopy} />],
    [text('labs.loincSlug'), of.loinc_slug && <Code>{of.loinc_slug}</Code>],
    [text('labs.providerId'), of.provider_id && <Code>{of.provider_id}</Code>],
  ];
}

function Loinc(props: {
  readonly code: string;
  readonly onCopy: ((text: string) => void) | undefined;
}): ReactElement {
  const { code, onCopy } = props;
  const text = useText();
  return (
    <>
      <Code>{code}</Code>{' '}
      {onCopy !== undefined && (
        <Button
          aria-label={text('labs.copyLoinc', { code })}
          onPress={() => {
            onCopy(code);
          }}
        >
          {text('labs.copy')}
        </Button>
      )}
    </>
  );
}

export function SourceMarkers(props: {
  readonly of: readonly SourceMarker[] | null | undefined;
}): ReactElement | null {
  const text = useText();
  if (!props.of || props.of.length === 0) return null;
  return (
    <section>
      <p className="quiet">{text('labs.sourceMarkers')}</p>
      <Stack as="ul">
        {props.of.map((marker, index) => (
          <li key={index}>
            <KeyValues
              entries={[
                [text('labs.name'), marker.name && <bdi>{marker.name}</bdi>],
                [text('labs.slug'), marker.slug && <Code>{marker.slug}</Code>],
                [text('labs.markerId'), marker.marker_id?.toString()],
                [text('labs.providerId'), marker.provider_id && <Code>{marker.provider_id}</Code>],
              ]}
            />
            <OtherFields of={marker} known={['marker_id', 'name', 'slug', 'provider_id']} />
          </li>
        ))}
      </Stack>
    </section>
  );
}

export function Interpretation({ value }: { value: string | null | undefined }): ReactElement {
  return <OpenValue value={value} known={interpretations} words={interpretationWords} />;
}

const interpretationWords = (value: string): MessageKey => `labs.read.${value}` as MessageKey;

/** Opens a row's details under it. The style draws its icon: there may be 500. */
export function DetailsButton(props: {
  readonly name: string;
  readonly controls: string;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}): ReactElement {
  const { name, controls, isOpen, onChange } = props;
  const text = useText();
  const label = text('labs.detailsOf', { name });
  return (
    <button
      type="button"
      className={`inset center bare ${styles['open'] ?? ''}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      aria-label={label}
      title={label}
      onClick={() => {
        onChange(!isOpen);
      }}
    />
  );
}
