import { memo } from 'react';
import type { ReactElement } from 'react';
import { INFERRED_FAILURE_TYPES } from '@caregate/domain';
import type { MissingBiomarkerResult } from '@caregate/domain';
import { Count } from './flag.tsx';
import { OpenValue } from '../../../ui/values/open-value.tsx';
import type { MessageKey } from '../../../i18n/text.tsx';
import styles from './results.module.css';

export const MissingRow = memo(function MissingRow(props: {
  readonly missing: MissingBiomarkerResult;
}): ReactElement {
  const { name, note, inferred_failure_type: why } = props.missing;
  return (
    <tr className={styles['row']} data-missing="">
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td colSpan={5} className={`row tight ${styles['wide'] ?? ''}`}>
        <Count group="missing" /> {note ? <bdi>{note}</bdi> : null}{' '}
        <span className="quiet">
          <OpenValue value={why} known={INFERRED_FAILURE_TYPES} words={words} />
        </span>
      </td>
    </tr>
  );
});

const words = (value: string): MessageKey => `failure.${value}` as MessageKey;
