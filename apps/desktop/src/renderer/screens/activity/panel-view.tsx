import { Fragment, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { DayChart, Swatch } from './day-chart.tsx';
import { weekdayText } from '../../components/values/dates.tsx';
import { Button, Code } from '../../components/controls.tsx';
import { Row } from '../../components/layout.tsx';
import { Panel } from '../../components/surfaces.tsx';
import type { User } from '@caregate/domain';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import { gapsIn, sum } from '../../state/sessions/daily-totals.ts';
import type { DayTotal } from '../../state/sessions/daily-totals.ts';
import type { Panel as Sessions } from '../../state/sessions/panels.ts';
import { providerName, typeWord } from '../../components/values/source-names.ts';
import type { Days } from '../../state/sessions/use-sessions.ts';
import styles from './activity.module.css';

interface PanelProps {
  readonly panel: Sessions;
  readonly connected: User['connected_sources'];
  readonly totals: readonly DayTotal[];
  readonly days: Days;
  readonly look?: number;
  /** Only then a week without sessions is one where nothing was measured. */
  readonly isWhole?: boolean;
}

export function PanelView(props: PanelProps): ReactElement {
  const { panel, connected, totals, days, look = 0, isWhole = true } = props;
  const text = useText();
  const intl = useIntl();
  const [hasTable, setHasTable] = useState(false);
  const word = typeWord(panel.source);
  const source = word === undefined ? panel.source : text(word);
  const provider = providerName(panel.provider, connected);
  const gaps = useMemo(
    () =>
      isWhole
        ? gapsIn(
            totals.map(({ day }) => day),
            days,
          )
        : [],
    [isWhole, totals, days],
  );
  const minutes = intl.formatNumber(sum(totals.map((total) => total.minutes)));
  return (
    <Panel aria-label={text('activity.panel', { provider, source })} className={styles['panel']}>
      <Row gap="wide">
        <Swatch look={look} />
        <h2>{text('activity.panel', { provider, source })}</h2>
        <span>{text('activity.total', { minutes, days: totals.length })}</span>
        <Button
          aria-expanded={hasTable}
          onPress={() => {
            setHasTable((before) => !before);
          }}
        >
          {text(hasTable ? 'activity.hideTable' : 'activity.asTable')}
        </Button>
      </Row>
      <DayChart
        days={totals.map(({ day }) => day)}
        values={totals.map((total) => total.minutes)}
        range={[days.first, days.last]}
        group="activity"
        label={text('activity.chart', { provider, source })}
        locale={intl.locale}
        unit={text('activity.unit')}
        look={look}
        gaps={gaps}
        gapWord={text('activity.gap')}
        say={(place) => {
          const total = totals[place];
          if (total === undefined) return '';
          return text('activity.value', {
            day: weekdayText(intl, total.day),
            minutes: intl.formatNumber(total.minutes, { maximumFractionDigits: 6 }),
            count: total.sessions.length,
          });
        }}
      />
      {hasTable && <Table totals={totals} gaps={gaps} />}
    </Panel>
  );
}

function Table({
  totals,
  gaps,
}: {
  totals: readonly DayTotal[];
  gaps: ReturnType<typeof gapsIn>;
}): ReactElement {
  const text = useText();
  const intl = useIntl();
  const [opened, setOpened] = useState<string>();
  const rows = [...totals, ...gaps.map(({ first, last }) => ({ day: first, last }))].toSorted(
    (a, b) => (a.day < b.day ? -1 : 1),
  );
  return (
    <Rows heads={['activity.day', 'activity.minutes', 'activity.sessions']}>
      {rows.map((row) =>
        'last' in row ? (
          <tr key={row.day}>
            <th scope="row">
              {weekdayText(intl, row.day)} – {weekdayText(intl, row.last)}
            </th>
            <td colSpan={2}>{text('activity.gap')}</td>
          </tr>
        ) : (
          <Fragment key={row.day}>
            <DayRow
              total={row}
              isOpen={opened === row.day}
              onToggle={() => {
                setOpened((before) => (before === row.day ? undefined : row.day));
              }}
            />
            {opened === row.day && (
              <tr>
                <td colSpan={3}>
                  <SessionList total={row} />
                </td>
              </tr>
            )}
          </Fragment>
        ),
      )}
    </Rows>
  );
}

function DayRow(props: {
  readonly total: DayTotal;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}): ReactElement {
  const { total, isOpen, onToggle } = props;
  const { day, minutes, sessions, shift } = total;
  const text = useText();
  const intl = useIntl();
  const dayText = weekdayText(intl, day);
  return (
    <tr data-day={day} data-minutes={minutes}>
      <th scope="row">
        {dayText}
        {shift !== undefined && (
          <span className={styles['shift']}>{text(`activity.${shift}`)}</span>
        )}
      </th>
      <td>{intl.formatNumber(minutes, { maximumFractionDigits: 6 })}</td>
      <td>
        <Button
          aria-expanded={isOpen}
          aria-label={text('activity.showSessions', {
            day: dayText,
            count: intl.formatNumber(sessions.length),
          })}
          onPress={onToggle}
        >
          {intl.formatNumber(sessions.length)}
        </Button>
      </td>
    </tr>
  );
}

function SessionList({ total }: { total: DayTotal }): ReactElement {
  const intl = useIntl();
  return (
    <Rows heads={['activity.start', 'activity.end', 'activity.minutes']}>
      {total.sessions.map(({ start, end, value }, index) => (
        <tr key={`${start} ${String(index)}`}>
          <td>
            <Code>{start}</Code>
          </td>
          <td>
            <Code>{end}</Code>
          </td>
          <td>{intl.formatNumber(value, { maximumFractionDigits: 6 })}</td>
        </tr>
      ))}
    </Rows>
  );
}

function Rows(props: {
  readonly heads: readonly MessageKey[];
  readonly children: ReactNode;
}): ReactElement {
  const text = useText();
  return (
    <table>
      <thead>
        <tr>
          {props.heads.map((head) => (
            <th key={head} scope="col">
              {text(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}
