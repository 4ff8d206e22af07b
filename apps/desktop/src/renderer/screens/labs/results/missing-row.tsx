import { memo, useState } from 'react';
import type { ReactElement } from 'react';
import { INFERRED_FAILURE_TYPES } from '@caregate/domain';
import type { MissingBiomarkerResult } from '@caregate/domain';
import { Stack } from '../../../components/layout.tsx';
import { KeyValues, OpenValue, OtherFields } from '../../../components/key-values.tsx';
import type { MessageKey } from '../../../text/text.tsx';
import { useText } from '../../../text/text.tsx';
import { Count } from '../../../components/results/flag.tsx';
import { DetailsButton, SourceMarkers, useCodes } from './result-details.tsx';
import styles from './results.module.css';

const known = [
  'name',
  'slug',
  'inferred_failure_type',
  'note',
  'loinc',
  'loinc_slug',
  'provider_id',
  'source_markers',
];

export const MissingRow = memo(function MissingRow(props: {
  readonly missing: MissingBiomarkerResult;
  readonly place: number;
  readonly columns: number;
}): ReactElement {
  const { missing, place, columns } = props;
  const [isOpen, setOpen] = useState(false);
  const id = `missing-${String(place)}`;
  return (
    <>
      <tr className={styles['row']} data-missing="">
        <td>
          <Count group="missing" />
        </td>
        <th scope="row">
          <bdi>{missing.name}</bdi>
        </th>
        <td colSpan={4} className={styles['wide']}>
          {missing.note ? <bdi>{missing.note}</bdi> : null}{' '}
          <span className="quiet">
            <OpenValue
              value={missing.inferred_failure_type}
              known={INFERRED_FAILURE_TYPES}
              words={words}
            />
          </span>
        </td>
        <td className={styles['last']}>
          <DetailsButton name={missing.name} controls={id} isOpen={isOpen} onChange={setOpen} />
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={columns}>
            <MissingDetails missing={missing} />
          </td>
        </tr>
      )}
    </>
  );
});

export function MissingDetails({ missing }: { missing: MissingBiomarkerResult }): ReactElement {
  const text = useText();
  const codes = useCodes(missing);
  return (
    <Stack gap="gap3" className={styles['details']}>
      <KeyValues
        entries={[
          [text('labs.reason'), missing.inferred_failure_type],
          [text('labs.notes'), missing.note && <bdi>{missing.note}</bdi>],
          ...codes,
        ]}
      />
      <SourceMarkers of={missing.source_markers} />
      <OtherFields of={missing} known={known} />
    </Stack>
  );
}

const words = (value: string): MessageKey => `failure.${value}` as MessageKey;
