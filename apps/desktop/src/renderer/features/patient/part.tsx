import { IdCard } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { useFormatProblem } from '../../ui/problem.tsx';
import type { Problem } from '../../../shared/problem.ts';
import { formatKeys } from '../../app/keyboard.ts';
import { useNavigation } from '../../app/navigation.tsx';
import { useText, type MessageKey } from '../../i18n/text.tsx';
import type { Orders } from '../labs/use-orders.ts';
import type { Person } from './person.ts';
import type { OverviewReads } from './use-overview.ts';
import styles from './overview.module.css';

export interface ViewProps {
  readonly person: Person;
  readonly overview: OverviewReads;
  readonly failure: ReactNode;
}

export function Part(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, about, action, children } = props;
  return (
    <Stack as="section" gap="tight" aria-label={title} className={styles['part']}>
      <Row className={`between ${styles['head'] ?? ''}`}>
        <h2>{title}</h2>
        {about !== undefined && (
          <Row as="span" gap="gap2" className={`quiet meta narrow wrap ${styles['about'] ?? ''}`}>
            {about}
          </Row>
        )}
        {action}
      </Row>
      {children}
    </Stack>
  );
}

export function OpenInsurance({ ref }: { readonly ref?: RefObject<HTMLButtonElement | null> }) {
  const text = useText();
  const { go } = useNavigation();
  return (
    <Button kind="quiet" ref={ref ?? null} onPress={() => go('insurance')}>
      <Icon of={IdCard} />
      {text('find.openInsurance')}
      <KeyCap isSilent keys={formatKeys('screen', 3)} />
    </Button>
  );
}

/** Returns the text that explains why Overview shows no report. */
export function getOrdersNote({ isMissing, orders }: Orders): MessageKey {
  if (isMissing) return 'orders.notOffered';
  if (orders === undefined) return 'overview.notRead';
  return orders.length === 0 ? 'orders.none' : 'find.noReport';
}

export function NotOffered({ problem }: { readonly problem: Problem | undefined }) {
  const formatProblem = useFormatProblem();
  return problem?.kind === 'notOffered' ? (
    <Quiet as="p" size="row13">
      {formatProblem(problem)}
    </Quiet>
  ) : null;
}
