import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../bridge/problem.ts';
import { judge } from '../scanner/scan-gate.ts';
import type { Taken } from '../scanner/scan-gate.ts';
import { useScanner } from '../scanner/use-scanner.ts';
import { ask, problemOf, ServiceProblem } from '../service/ask.ts';
import { useDesk } from './desk.tsx';
import type { Person } from './desk.tsx';
import { begin } from './measures.ts';

/** What is to be said about a code, or about what was asked for; each has a sentence (`notice.<notice>`). */
export type Notice = 'second' | 'broken' | 'nothingToPrint';

interface Asked {
  readonly id: string;
  /** To be shown with the person. */
  readonly order?: string | undefined;
}

export interface LookUp {
  /** What stands in Find's field. */
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  /** Looks a client id up and opens the person. A new look-up ends the one before: only the last ever opens. */
  readonly lookUp: (clientUserId: string, order?: string) => void;
  readonly cancel: () => void;
  /** The id that is being looked up. */
  readonly pending: string | undefined;
  readonly failure: (Asked & { readonly problem: Problem }) | undefined;
  readonly notice: Notice | undefined;
  readonly say: (notice: Notice | undefined) => void;
  /** Takes failure and notice away. */
  readonly dismiss: () => void;
}

const LookUpContext = createContext<LookUp | undefined>(undefined);

/** Looking people up, by hand and by scanner: one look-up for the whole window. */
export function LookUpProvider(props: {
  readonly onScan: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { onScan, children } = props;
  const { screen, visit, openOrder } = useDesk();
  const [typed, setTyped] = useState('');
  const [said, setSaid] = useState<{ readonly notice: Notice; readonly visit: number }>();
  const say = useCallback(
    (notice: Notice | undefined) => {
      setSaid(notice && { notice, visit });
    },
    [visit],
  );
  // What was said on a screen stays there.
  const notice = said?.visit === visit ? said.notice : undefined;
  const cleared = useCallback(() => {
    setTyped('');
    // What was said while somebody was looked up is about them: it comes along.
    setSaid((before) => before && { ...before, visit: before.visit + 1 });
  }, []);
  const { lookUp: start, cancel, pending, failure, forget } = useRunning(cleared);
  const lookUp = useCallback(
    (id: string, order?: string) => {
      say(undefined);
      start({ id, order });
    },
    [start, say],
  );
  const dismiss = useCallback(() => {
    say(undefined);
    forget();
  }, [forget, say]);

  const taken = useRef<Taken>(undefined);
  useScanner({
    onScan: (code, at) => {
      const verdict = judge(code, at, taken.current, pending !== undefined);
      if (verdict === 'again') return;
      if (verdict === 'second') {
        say('second');
        return;
      }
      taken.current = { code, at };
      onScan();
      if (screen === 'labs' && looksLikeOrder(code)) {
        cancel();
        dismiss();
        openOrder(code);
      } else {
        lookUp(code);
      }
    },
    onBroken: () => {
      say('broken');
    },
  });
  const value = useMemo(
    () => ({ typed, setTyped, lookUp, cancel, pending, failure, notice, say, dismiss }),
    [typed, lookUp, cancel, pending, failure, notice, say, dismiss],
  );
  return <LookUpContext value={value}>{children}</LookUpContext>;
}

/** Only below LookUpProvider. */
export function useLookUp(): LookUp {
  const lookUp = use(LookUpContext);
  if (lookUp === undefined) throw new Error('useLookUp needs a LookUpProvider above');
  return lookUp;
}

/** Order ids are UUIDs. A client id may be one too, so only Labs takes a code for an order by itself. */
export function looksLikeOrder(code: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code);
}

/** The one look-up under way. Whatever isn't the latest any more when it ends, ends in nothing. */
function useRunning(onOpened: () => void) {
  const { open, visit } = useDesk();
  const visitNow = useRef(visit);
  useEffect(() => {
    visitNow.current = visit;
  }, [visit]);
  const running = useRef<AbortController>(undefined);
  const [pending, setPending] = useState<string>();
  const [failed, setFailed] = useState<
    NonNullable<LookUp['failure']> & { readonly visit: number }
  >();
  // A refusal belongs to the screen that it was told on: whoever leaves it leaves it behind.
  const failure = failed?.visit === visit ? failed : undefined;
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setPending(undefined);
  }, []);
  const forget = useCallback(() => {
    setFailed(undefined);
  }, []);
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = undefined;
    },
    [],
  );
  const lookUp = useCallback(
    (asked: Asked) => {
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      setPending(asked.id);
      setFailed(undefined);
      const settle = (done: () => void): void => {
        if (running.current !== mine) return;
        running.current = undefined;
        setPending(undefined);
        done();
      };
      personOf(asked.id, mine.signal).then(
        (found) => {
          settle(() => {
            begin('open');
            open(found, asked.order);
            onOpened();
          });
        },
        (error: unknown) => {
          settle(() => {
            setFailed({ ...asked, problem: problemOf(error), visit: visitNow.current });
          });
        },
      );
    },
    [open, onOpened],
  );
  return { lookUp, cancel, pending, failure, forget };
}

/** The person of a client id; an answer about anyone else is no answer. */
async function personOf(clientUserId: string, signal: AbortSignal): Promise<Person> {
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
