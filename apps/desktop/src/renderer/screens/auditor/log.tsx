import { RefreshCw, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { LogState } from '../../../bridge/audit.ts';
import { Button, Code } from '../../components/controls.tsx';
import { Moment, momentText } from '../../components/values/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Quiet, Row, Stack } from '../../components/layout.tsx';
import { Loading } from '../../components/loading.tsx';
import { PlainCopy } from '../../components/copy-button.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Card, Facts } from '../../components/surfaces.tsx';
import { useWitness } from '../../state/app-state.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useText } from '../../text/text.tsx';
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
        <ThisDesk />
        {state?.witnessing !== undefined && (
          <section className={styles['pane']} aria-label={text('log.witnesses')}>
            <h2>{text('log.witnesses')}</h2>
            <Card as="ul" className={styles['grant']}>
              {state.witnessing.witnesses.map(({ name, cosignedAt, conflict }) => (
                <Row as="li" key={name}>
                  <span className={styles['grow']}>
                    <Code>{name}</Code>
                  </span>
                  {conflict ? (
                    <b className="flagged">{text('log.conflict')}</b>
                  ) : cosignedAt === undefined ? (
                    <Quiet>{text('log.notSigned')}</Quiet>
                  ) : (
                    <span>
                      <Moment plain at={cosignedAt} />
                    </span>
                  )}
                </Row>
              ))}
            </Card>
          </section>
        )}
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

function ThisDesk(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { kind, size, checkedAt, why, foundAt } = useWitness() ?? { kind: 'nothing' };
  const sentence =
    kind === 'broken' && why !== undefined
      ? `${text(`witness.${why}`)} ${text('witness.next', { time: momentText(intl, foundAt ?? '') })}`
      : size !== undefined && checkedAt !== undefined
        ? text('witness.holds', { size, time: momentText(intl, checkedAt) })
        : text('witness.nothing');
  return (
    <section className={styles['pane']} aria-label={text('log.thisDesk')}>
      <h2>{text('log.thisDesk')}</h2>
      <Card as="p" className={styles['grant']}>
        {sentence}
      </Card>
    </section>
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
  const witness = useWitness();
  const isWhole = state.consistent && state.whole?.intact !== false && witness?.kind !== 'broken';
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
  const { size, checkedAt, from, acceptsRecords, whole, witnessing } = state;
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
        [
          text('log.witnesses'),
          witnessing === undefined
            ? text('log.noWitnesses')
            : text(witnessing.quorumMet ? 'log.quorum' : 'log.noQuorum', {
                signed: witnessing.witnesses.filter((one) => one.cosignedAt !== undefined).length,
                count: witnessing.witnesses.length,
              }),
        ],
        ...(acceptsRecords ? [] : [[text('log.state'), text('log.stopped')] as const]),
      ]}
    />
  );
}
