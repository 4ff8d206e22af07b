import type { ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import { Count } from './flag.tsx';
import { GROUPS, summaryOf } from './result-order.ts';
import type { PanelResults } from './result-order.ts';

/** Name of a panel, how many tests it has, and how many of them need attention. */
export function PanelHeading(props: {
  readonly name: string | undefined;
  readonly of: Pick<PanelResults, 'results' | 'missing'>;
}): ReactElement {
  const { results, missing } = props.of;
  const text = useText();
  const counts = summaryOf(results, missing);
  const shown = GROUPS.filter(
    (group) => counts[group] > 0 && !['notAssessed', 'noRange', 'inside'].includes(group),
  );
  return (
    <span className="row wide">
      <bdi>{props.name ?? text('labs.panel.none')}</bdi>
      <span className="quiet meta">
        {text('labs.panel.tests', { count: results.length + missing.length })}
      </span>
      <span className="row wide meta">
        {shown.map((group) => (
          <Count key={group} group={group} count={counts[group]} />
        ))}
      </span>
    </span>
  );
}
