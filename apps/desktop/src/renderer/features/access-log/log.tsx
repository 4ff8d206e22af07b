import { RefreshCw, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { LogState } from '../../../shared/audit.ts';
import { Button } from '../../ui/controls.tsx';
import { Moment, momentText } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PlainCopy } from '../../ui/copy-button.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Card, Facts } from '../../ui/surfaces.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './auditor.module.css';
import { useLogState } from './use-audit.ts';

export function LogScreen(): ReactElement {
  const text = useText();
  const { state } = useLogState();
  return (
    <Stack gap="gap3">
      <h1>{text('screen.log')}</h1>
      <div className={`stack gap4 ${styles['columns'] ?? ''}`}>
        <LogCard />
      </div>
      {state !== undefined && (
        <section className={styles['pane']} aria-label={text('log.checkpoint')}>
          <h2>{text('log.checkpoint')}</h2>
          <Quiet as="p" size="row13">
            {text('log.checkpointHelp')}
          </Quiet>
          <pre dir="ltr" tabIndex={0} className={`meta wrap ${styles['proof'] ?? ''}`}>
            {state.checkpoint}
          </pre>
          <Row>
            <PlainCopy value={state.checkpoint} label={text('log.copy')} />
          </Row>
        </section>
      )}
    </Stack>
  );
}

function LogCard(): ReactElement {
  const text = useText();
  const { state, problem, isFetching, retry } = useLogState();
  return (
    <section aria-label={text('screen.log')} className={styles['pane']}>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {state === undefined && isFetching && <Loading what="screen.log" />}
      {state !== undefined && (
        <Card className={styles['grant']}>
          <Verdict state={state} />
          <LogFacts state={state} />
          <CheckNow isFetching={isFetching} onPress={retry} />
        </Card>
      )}
    </section>
  );
}

function CheckNow(props: {
  readonly isFetching: boolean;
  readonly onPress: () => void;
}): ReactElement {
  const text = useText();
  return (
    <Row>
      <Button kind="quiet" onPress={props.onPress}>
        <Icon of={RefreshCw} />
        {text(props.isFetching ? 'log.checking' : 'log.check')}
      </Button>
    </Row>
  );
}

export function LogLine(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { go } = useNavigation();
  const { state, problem, isFetching, retry } = useLogState();
  const { size = 0, from = 0, checkedAt = '', whole } = state ?? {};
  return (
    <Row as="footer" gap="gap3" aria-label={text('screen.log')} className={styles['logLine']}>
      {state === undefined ? (
        <Quiet>{text(problem === undefined ? 'log.checking' : 'log.unknown')}</Quiet>
      ) : (
        <>
          <Verdict state={state} />
          <Quiet size="row13">
            {text('log.line', { size, from, time: momentText(intl, checkedAt) })}{' '}
            {whole?.intact === true && text('log.lineWhole', { time: momentText(intl, whole.at) })}
          </Quiet>
        </>
      )}
      <span className="grow" />
      <CheckNow isFetching={isFetching} onPress={retry} />
      <Button
        kind="quiet"
        onPress={() => {
          go('log');
        }}
      >
        {text('log.proof')}
      </Button>
    </Row>
  );
}

function Verdict({ state }: { state: LogState }): ReactElement {
  const text = useText();
  const isWhole = state.consistent && state.whole?.intact !== false;
  return (
    <Row as="p" role="status" className={`bold ${isWhole ? (styles['good'] ?? '') : 'flagged'}`}>
      <Icon of={isWhole ? ShieldCheck : ShieldAlert} />
      {text(isWhole ? 'log.whole' : 'log.broken')}
    </Row>
  );
}

function LogFacts({ state }: { state: LogState }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { size, checkedAt, from, acceptsRecords, whole } = state;
  return (
    <Facts
      entries={[
        [text('log.records'), intl.formatNumber(size)],
        [text('log.checked'), <Moment key="checked" plain at={checkedAt} />],
        [text('log.grewFrom'), intl.formatNumber(from)],
        [
          text('log.verifiedWhole'),
          whole === undefined ? text('log.notYet') : <Moment key="whole" plain at={whole.at} />,
        ],
        ...(acceptsRecords ? [] : [[text('log.state'), text('log.stopped')] as const]),
      ]}
    />
  );
}
