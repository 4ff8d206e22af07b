import { createContext, use } from 'react';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { Problem } from '../../shared/problem.ts';
import { useProviderName } from '../api/app-state.ts';
import en from '../i18n/en.json';
import { useText, type MessageKey } from '../i18n/text.tsx';
import { Button, Code } from './controls.tsx';
import { Quiet, Row } from './layout.tsx';
import { PlainCopy } from './copy-button.tsx';
import { Banner } from './surfaces.tsx';
import styles from './states.module.css';

export function useFormatProblem(): (problem: Problem) => string {
  const text = useText();
  const provider = useProviderName() ?? text('problem.provider');
  return ({ kind, operation, missing, reason, triesLeft, interfaces }) => {
    if (missing === 'result') return text('awaited.unknown');
    if (kind === 'signInRefused' && reason !== undefined) {
      const key = `signIn.refused.${reason}`;
      return text(key in en ? (key as MessageKey) : 'signIn.refused.unverified', {
        provider,
        reason,
      });
    }
    if (kind === 'wrongPin') return text('problem.wrongPin', { triesLeft: triesLeft ?? 0 });
    // These are the default roles, which a deployment may narrow.
    const roles = operation === undefined ? [] : READ_OPERATIONS[operation].roles;
    return text(`problem.${kind}`, {
      ...(interfaces ?? { needed: 0, offered: 0 }),
      provider,
      count: roles.length,
      roles: roles.map((role) => text(`role.${role}`)).join(', '),
    });
  };
}

/** The text of a problem that is already shown elsewhere, and isn't shown a second time. */
export const ShownProblemContext = createContext<string | undefined>(undefined);

export function ProblemNote(props: {
  readonly problem: Problem;
  readonly sentence?: string;
  readonly onRetry?: () => void;
}) {
  const { problem, sentence, onRetry } = props;
  const text = useText();
  const usual = useFormatProblem()(problem);
  const { requestId } = problem;
  const shown = sentence ?? usual;
  if (shown === use(ShownProblemContext)) return null;
  return (
    <Banner kind="flag" role="alert" className={styles['problem']}>
      <p>{shown}</p>
      {requestId !== undefined && (
        <Quiet as="p" size="help">
          {text('state.requestId')} <Code>{requestId}</Code>
        </Quiet>
      )}
      <Row>
        {onRetry !== undefined && <Button onPress={onRetry}>{text('state.retry')}</Button>}
        {requestId !== undefined && (
          <PlainCopy value={`${problem.kind} ${requestId}`} label={text('state.copyDetails')} />
        )}
      </Row>
    </Banner>
  );
}
