import type { ReactNode } from 'react';
import { Button } from './controls.tsx';
import { Row, Stack } from './layout.tsx';
import { ProblemNote, ShownProblemContext, useFormatProblem } from './problem.tsx';
import { Loading } from './loading.tsx';
import { looksLikeOrder, useLookUp, type LookUp } from '../app/look-up.tsx';
import { useMask } from '../app/mask.tsx';
import { useNavigation } from '../app/navigation.tsx';
import { useSelection } from '../app/selection.tsx';
import { useMissingSearch } from '../features/search/use-people-search.ts';
import { useWorkspace, useWorkspaceState } from '../app/workspace.tsx';
import { useText } from '../i18n/text.tsx';
import styles from './look-up-status.module.css';

export function LookUpStatus() {
  const { pending, cancel, failure } = useLookUp();
  const failed = failure?.problem.kind === 'cancelled' ? undefined : failure;
  if (pending === undefined && failed === undefined) return null;
  return (
    <Stack className={styles['notes']}>
      {pending !== undefined && <Pending of={pending} onCancel={cancel} />}
      {failed !== undefined && <Failure failure={failed} />}
    </Stack>
  );
}

/** Shows the new ID at once, so that nobody mistakes the old screen for the new patient. */
function Pending(props: {
  readonly of: NonNullable<LookUp['pending']>;
  readonly onCancel: () => void;
}) {
  const { of, onCancel } = props;
  const text = useText();
  const mask = useMask();
  return (
    <section aria-label={text('lookUp.label')} className={styles['pending']}>
      <div role="status">
        <h2>{text('lookUp.pending', { id: mask(of.id) })}</h2>
      </div>
      {of.closed === true && <p>{text('lookUp.closed')}</p>}
      <Loading what="screen.person" key={of.id} onCancel={onCancel} />
    </section>
  );
}

/** Hides a problem in the screen if {@link LookUpStatus} already shows the same one. */
export function WithoutLookUpProblem({ children }: { children: ReactNode }) {
  const { failure } = useLookUp();
  const formatProblem = useFormatProblem();
  return (
    <ShownProblemContext value={failure === undefined ? undefined : formatProblem(failure.problem)}>
      {children}
    </ShownProblemContext>
  );
}

function Failure({ failure }: { failure: NonNullable<LookUp['failure']> }) {
  const text = useText();
  const mask = useMask();
  const { screen, go } = useNavigation();
  const { openOrder } = useSelection();
  const { setTyped } = useWorkspace();
  const typed = useWorkspaceState('typed');
  const { lookUp, dismiss } = useLookUp();
  const { id, problem } = failure;
  const isUnknown = problem.kind === 'notFound';
  const isSearched = useMissingSearch() === undefined;
  return (
    <>
      <ShownProblemContext value={undefined}>
        <ProblemNote
          problem={problem}
          {...(isUnknown && {
            sentence: text(isSearched ? 'find.nobody' : 'find.notFoundId', {
              ...{ id: mask(id), text: mask(id) },
            }),
          })}
          onRetry={() => lookUp(id, failure)}
        />
      </ShownProblemContext>
      <Row>
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
      </Row>
      {failure.closed === true && <p>{text('lookUp.closed')}</p>}
    </>
  );
}
