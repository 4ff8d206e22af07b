import { useCallback, useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { ask, problemOf, ServiceProblem } from '../../service/ask.ts';
import { useDesk } from '../../shell/desk.tsx';
import type { Person } from '../../shell/desk.tsx';

export interface Resolving {
  /** Looks a client id up and opens the person. A new look-up ends the one before: only the last ever opens. */
  readonly resolve: (clientUserId: string) => void;
  readonly cancel: () => void;
  /** The id that is being looked up. */
  readonly pending: string | undefined;
  readonly failure: { readonly id: string; readonly problem: Problem } | undefined;
}

export function useResolve(): Resolving {
  const { open } = useDesk();
  const running = useRef<AbortController>(undefined);
  const [pending, setPending] = useState<string>();
  const [failure, setFailure] = useState<Resolving['failure']>();
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setPending(undefined);
  }, []);
  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );
  const resolve = useCallback(
    (id: string) => {
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      setPending(id);
      setFailure(undefined);
      const settle = (done: () => void): void => {
        if (running.current !== mine) return;
        running.current = undefined;
        setPending(undefined);
        done();
      };
      person(id, mine.signal).then(
        (found) => {
          settle(() => {
            open(found);
          });
        },
        (error: unknown) => {
          settle(() => {
            setFailure({ id, problem: problemOf(error) });
          });
        },
      );
    },
    [open],
  );
  return { resolve, cancel, pending, failure };
}

/** The person of a client id; an answer about anyone else is no answer. */
async function person(clientUserId: string, signal: AbortSignal): Promise<Person> {
  const found = await ask('resolveUser', { clientUserId }, signal);
  if (found.value.client_user_id !== clientUserId) {
    throw new ServiceProblem({
      kind: 'serverBroken',
      operation: 'resolveUser',
      ...(found.requestId !== undefined && { requestId: found.requestId }),
    });
  }
  return found;
}
