import { Pencil } from 'lucide-react';
import type { ReactElement } from 'react';
import type { BiomarkerResult } from '@caregate/domain';
import { Unseen } from '../../../components/layout.tsx';
import { useText } from '../../../text/text.tsx';

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
        {was === 'added'
          ? text('changes.wasNone')
          : text('changes.was', { before: wasText(was, now) })}
      </span>
    </span>
  );
}

function wasText(was: BiomarkerResult, now: BiomarkerResult): string {
  const isSameUnit = (was.unit ?? '') === (now.unit ?? '');
  return `\u2066${isSameUnit || !was.unit ? was.result : `${was.result} ${was.unit}`}\u2069`;
}
