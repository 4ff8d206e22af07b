import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { useAsOf } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Unseen } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { usePersonQuery } from './person.ts';
import type { Person } from './person.ts';
import { useText } from '../../i18n/text.tsx';
import { ClinicianOverview } from './clinician-overview.tsx';
import { DeskOverview } from './desk-overview.tsx';
import { useOverview } from './use-overview.ts';
import styles from './overview.module.css';

export function Overview({ person }: { readonly person: Person }): ReactElement {
  const text = useText();
  const { data, problem, isFetching, refetch } = usePersonQuery(person);
  return (
    <>
      <Unseen as="h1">{text('screen.person')}</Unseen>
      {data !== undefined && <OpenOverview person={person} />}
      {data === undefined && problem !== undefined && !isFetching && (
        <ProblemNote problem={problem} onRetry={refetch} />
      )}
    </>
  );
}

function OpenOverview({ person }: { readonly person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const overview = useOverview(person);
  const { isClinician, problem, retry, isFetching, oldest, refresh, cancel } = overview;
  const View = isClinician ? ClinicianOverview : DeskOverview;
  return (
    <View
      person={person}
      overview={overview}
      failure={problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      foot={
        <>
          <Row gap="gap3" className={styles['foot']}>
            {oldest !== undefined && <Quiet size="meta">{asOf(oldest)}</Quiet>}
            <Button kind="quiet" isDisabled={isFetching} onPress={refresh}>
              <Icon of={RefreshCw} />
              {text('labs.refresh')}
              <KeyCap isSilent keys="F5" />
            </Button>
          </Row>
          {isFetching && <Loading what="screen.person" onCancel={cancel} />}
        </>
      }
    />
  );
}
