import { LockKeyhole, Printer, Siren } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../bridge/audit.ts';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { markOf } from './words.ts';

const SHOWN = ['all', 'emergency', 'refused', 'printed'] as const;
export type Shown = (typeof SHOWN)[number];
const PERIODS = ['week', 'month', 'quarter', 'all'] as const;
export type Period = (typeof PERIODS)[number];

const icons: Readonly<Partial<Record<Shown, LucideIcon>>> = {
  emergency: Siren,
  refused: LockKeyhole,
  printed: Printer,
};

/** What of the records is shown, and from when on. */
export function Filters(props: {
  /** Undefined until they were read. */
  readonly rows: readonly AuditRow[] | undefined;
  /** Whether there are others than these. */
  readonly hasMore: boolean;
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
}): ReactElement {
  const { rows, hasMore, shown, onShown, period, onPeriod } = props;
  const text = useText();
  const intl = useIntl();
  const countOf = (which: Shown): string => {
    if (rows === undefined) return '';
    const among = which === 'all' ? rows : rows.filter((row) => markOf(row) === which);
    return `${intl.formatNumber(among.length)}${hasMore ? '+' : ''}`;
  };
  return (
    <>
      <ToggleButtonGroup
        aria-label={text('audit.showOnly')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[shown]}
        onSelectionChange={(keys) => {
          const chosen = SHOWN.find((one) => keys.has(one));
          if (chosen !== undefined) onShown(chosen);
        }}
        className={styles['segments'] ?? ''}
      >
        {SHOWN.map((which) => {
          const icon = icons[which];
          return (
            <ToggleButton key={which} id={which} className={styles['segment'] ?? ''}>
              {icon !== undefined && <Icon of={icon} />}
              {text(`audit.shown.${which}`, { count: countOf(which) })}
            </ToggleButton>
          );
        })}
      </ToggleButtonGroup>
      <select
        aria-label={text('audit.period')}
        className={styles['period']}
        value={period}
        onChange={({ target }) => {
          onPeriod(target.value as Period);
        }}
      >
        {PERIODS.map((one) => (
          <option key={one} value={one}>
            {text(`audit.period.${one}`)}
          </option>
        ))}
      </select>
    </>
  );
}
