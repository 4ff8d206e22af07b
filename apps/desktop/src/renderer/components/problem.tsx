import { createContext, use } from 'react';
import type { ReactElement } from 'react';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { Problem } from '../../bridge/problem.ts';
import { useText } from '../text/text.tsx';
import { Button, Code } from './controls.tsx';
import { PlainCopy } from './plain-copy.tsx';
import styles from './states.module.css';

/** The sentence for a problem. */
export function useProblemText(): (problem: Problem) => string {
  const text = useText();
  return ({ kind, operation, missing, reason, triesLeft, interfaces }) => {
    if (missing === 'result') return text('awaited.unknown');
    if (kind === 'signInRefused' && reason !== undefined) return text(`signIn.refused.${reason}`);
    if (kind === 'wrongPin') return text('problem.wrongPin', { triesLeft: triesLeft ?? 0 });
    // Who may before a deployment narrows it.
    const roles = operation === undefined ? [] : READ_OPERATIONS[operation].roles;
    return text(`problem.${kind}`, {
      ...(interfaces ?? { needed: 0, offered: 0 }),
      count: roles.length,
      roles: roles.map((role) => text(`role.${role}`)).join(', '),
    });
  };
}

/** The sentence of a problem that is shown elsewhere on the page: it is not shown twice. */
export const ShownProblemContext = createContext<string | undefined>(undefined);

/** A problem: its cause, the request's id, copy and retry. */
export function ProblemNote(props: {
  readonly problem: Problem;
  /** Shown instead of the kind's own sentence. */
  readonly sentence?: string;
  readonly onRetry?: () => void;
}): ReactElement | null {
  const { problem, sentence, onRetry } = props;
  const text = useText();
  const said = useProblemText()(problem);
  const told = use(ShownProblemContext);
  const { requestId } = problem;
  const shown = sentence ?? said;
  if (shown === told) return null;
  return (
    <div role="alert" className={styles['problem']}>
      <p>{shown}</p>
      {requestId !== undefined && (
        <p className={styles['request']}>
          {text('state.requestId')} <Code>{requestId}</Code>
        </p>
      )}
      <div className={styles['actions']}>
        {onRetry !== undefined && <Button onPress={onRetry}>{text('state.retry')}</Button>}
        {requestId !== undefined && (
          <PlainCopy value={`${problem.kind} ${requestId}`} label={text('state.copyDetails')} />
        )}
      </div>
    </div>
  );
}
