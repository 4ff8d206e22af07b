import { Pencil } from 'lucide-react';
import type { ReactElement } from 'react';
import type { BiomarkerResult } from '@caregate/domain';
import { Unseen } from '../../../ui/layout.tsx';
import { useText } from '../../../i18n/text.tsx';
import { wasText } from '../history/versions.ts';

/** What a corrected result was before. */
export function Was(props: {
  readonly was: BiomarkerResult | 'added';
  readonly now: BiomarkerResult;
}): ReactElement {
  const { was, now } = props;
  const text = useText();
  return (
    <span className="inline quiet wrap tag marked">
      <Pencil aria-hidden="true" />
      <span>
        <Unseen>{text('changes.corrected')} </Unseen>
        {wasText(was, now, text)}
      </span>
    </span>
  );
}
