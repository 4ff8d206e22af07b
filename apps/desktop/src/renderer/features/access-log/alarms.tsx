import { BellRing } from 'lucide-react';
import type { ReactElement } from 'react';
import { Code } from '../../ui/controls.tsx';
import { Moment } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { Card, Empty, Facts } from '../../ui/surfaces.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './auditor.module.css';
import { Listing } from './listing.tsx';
import { usePages } from './use-audit.ts';
import { useAuditWords } from './words.ts';

export function AlarmsScreen(): ReactElement {
  const text = useText();
  const words = useAuditWords();
  const query = usePages('listAuditAlarms', {});
  const rows = query.pages?.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="gap3">
      <h1>{text('screen.alarms')}</h1>
      <Listing
        of={query}
        what="screen.alarms"
        isEmpty={rows.length === 0}
        empty={<Empty title={text('alarms.none')} help={text('alarms.noneHelp')} />}
      >
        <ul className={`stack gap2 ${styles['queue'] ?? ''}`}>
          {rows.map(({ recordId, occurredAt, operation, actor, details }) => (
            <Card as="li" key={recordId} className={styles['grant']}>
              <Row as="p" className={styles['alarm']}>
                <Icon of={BellRing} />
                <b className={styles['grow']}>{words.operation(operation)}</b>
                <Quiet>
                  <Moment plain at={occurredAt} />
                </Quiet>
              </Row>
              {actor.name !== undefined && <p>{actor.name}</p>}
              <Facts
                entries={[
                  ...details.map(
                    ({ name, value }) =>
                      [
                        words.detail(name),
                        name === 'reason_code' ? (
                          words.reason(value)
                        ) : (
                          <Code key={name}>{value}</Code>
                        ),
                      ] as const,
                  ),
                  [text('audit.record'), <Code key="record">{recordId}</Code>],
                ]}
              />
            </Card>
          ))}
        </ul>
      </Listing>
    </Stack>
  );
}
