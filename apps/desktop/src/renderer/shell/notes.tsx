import type { ReactElement, ReactNode } from 'react';
import { Button } from '../components/controls.tsx';
import { useMask } from '../components/mask.ts';
import { ProblemNote, ToldContext, useProblemText } from '../components/problem.tsx';
import { Waiting } from '../components/waiting.tsx';
import { useText } from '../text/text.tsx';
import { useDesk } from './desk.tsx';
import { looksLikeOrder, useLookUp } from './look-up.tsx';
import type { LookUp } from './look-up.tsx';
import styles from './notes.module.css';

/** How a look-up goes, and what is to be said about a code: on whatever screen it was scanned. */
export function Notes(): ReactElement | null {
  const { pending, cancel, failure, notice } = useLookUp();
  const failed = failure?.problem.kind === 'cancelled' ? undefined : failure;
  if (pending === undefined && failed === undefined && notice === undefined) return null;
  return (
    <div className={styles['notes']}>
      {notice !== undefined && <NoticeLine notice={notice} />}
      {pending !== undefined && <Waiting onCancel={cancel} />}
      {failed !== undefined && <Failed failure={failed} />}
    </div>
  );
}

/** The screen beside the notes: it doesn't say once more why the look-up failed. */
export function BesideNotes({ children }: { children: ReactNode }): ReactElement {
  const { failure } = useLookUp();
  const said = useProblemText();
  return (
    <ToldContext value={failure === undefined ? undefined : said(failure.problem)}>
      {children}
    </ToldContext>
  );
}

function NoticeLine({ notice }: { notice: NonNullable<LookUp['notice']> }): ReactElement {
  const text = useText();
  const { say } = useLookUp();
  return (
    <div role="alert" className={styles['notice']}>
      <p>{text(`notice.${notice}`)}</p>
      <Button
        onPress={() => {
          say(undefined);
        }}
      >
        {text('notice.close')}
      </Button>
    </div>
  );
}

function Failed({ failure }: { failure: NonNullable<LookUp['failure']> }): ReactElement {
  const text = useText();
  const mask = useMask();
  const { screen, go, person, openOrder } = useDesk();
  const { typed, setTyped, lookUp, dismiss } = useLookUp();
  const { id, order, problem } = failure;
  const isUnknown = problem.kind === 'notFound';
  return (
    <>
      <ToldContext value={undefined}>
        <ProblemNote
          problem={problem}
          {...(isUnknown && { sentence: text('find.notFound', { id: mask(id) }) })}
          onRetry={() => {
            lookUp(id, order);
          }}
        />
      </ToldContext>
      <div className={styles['actions']}>
        {(screen !== 'find' || typed.trim() !== id) && (
          <Button
            onPress={() => {
              dismiss();
              setTyped(id);
              go('find');
            }}
          >
            {text('find.edit')}
          </Button>
        )}
        {isUnknown && looksLikeOrder(id) && (
          <Button
            onPress={() => {
              dismiss();
              openOrder(id);
            }}
          >
            {text('find.asOrder')}
          </Button>
        )}
        <Button onPress={dismiss}>{text('notice.close')}</Button>
      </div>
      {screen !== 'find' && person !== undefined && (
        // Whoever scanned somebody else must not read on as if it were them.
        <p className={styles['still']}>
          {text('find.stillShown', {
            id: mask(person.value.client_user_id),
          })}
        </p>
      )}
    </>
  );
}
