import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button, Code } from '../../components/controls.tsx';
import { Quiet, Stack } from '../../components/layout.tsx';
import { Panel } from '../../components/surfaces.tsx';
import { timeText } from '../../components/values/dates.tsx';
import { useMask } from '../../state/mask.tsx';
import { useReopen } from '../../state/look-up.tsx';
import { useRecents } from '../../state/recents.tsx';
import { useText } from '../../text/text.tsx';
import styles from './recents.module.css';

export function RecentsScreen(): ReactElement {
  const text = useText();
  const { people, orders, clear } = useRecents();
  const { person: reopenPerson, order: reopenOrder } = useReopen();
  const mask = useMask();
  return (
    <Stack gap="gap4" className={styles['screen']}>
      <h1>{text('recents.title')}</h1>
      <Quiet as="p">{text('recents.memory')}</Quiet>
      {people.length + orders.length > 0 && (
        <div>
          <Button onPress={clear}>{text('recents.forget')}</Button>
        </div>
      )}
      <List title={text('recents.people')} empty={text('recents.noPeople')}>
        {people.map((one) => (
          <Entry
            key={one.userId}
            at={one.at}
            onPress={() => {
              reopenPerson(one);
            }}
          >
            <strong>
              <Code>{mask(one.clientUserId)}</Code>
            </strong>
            <Code>{mask(one.userId.slice(0, 8))}</Code>
          </Entry>
        ))}
      </List>
      <List title={text('recents.orders')} empty={text('recents.noOrders')}>
        {orders.map((one) => (
          <Entry
            key={`${one.personId ?? ''} ${one.id}`}
            at={one.at}
            onPress={() => {
              reopenOrder(one);
            }}
          >
            <strong>
              <Code>{mask(one.id)}</Code>
            </strong>
            <span>
              {one.clientUserId === undefined || one.personId === undefined
                ? text('recents.underNobody')
                : text('recents.under', { id: mask(one.clientUserId) })}
            </span>
          </Entry>
        ))}
      </List>
    </Stack>
  );
}

function List(props: {
  readonly title: string;
  readonly empty: string;
  readonly children: readonly ReactElement[];
}): ReactElement {
  const { title, empty, children } = props;
  return (
    <Panel aria-label={title} className={styles['list']}>
      <h2>{title}</h2>
      {children.length === 0 ? <p>{empty}</p> : <ol>{children}</ol>}
    </Panel>
  );
}

function Entry(props: {
  readonly at: Date;
  readonly onPress: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { at, onPress, children } = props;
  const intl = useIntl();
  return (
    <li>
      <Button onPress={onPress}>
        <span className={styles['entry']}>
          {children}
          <Quiet className="end">{timeText(intl, at)}</Quiet>
        </span>
      </Button>
    </li>
  );
}
