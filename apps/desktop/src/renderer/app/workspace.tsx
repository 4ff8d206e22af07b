import { QueryClientProvider } from '@tanstack/react-query';
import type { FoundPerson } from '@caregate/domain';
import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { useQueryClientOfSignIn } from '../api/query-client.ts';
import { toProblem } from '../api/service-call.ts';
import { resolvePerson, type Person } from '../features/patient/person.ts';
import type { Scan } from '../features/scanner/scan-detector.ts';
import { resolveScanned } from '../features/scanner/scanned-person.ts';
import { addRecent, describeRecent } from '../features/search/recents.ts';
import type { RecentFacts, RecentPerson } from '../features/search/recents.ts';
import type { ScreenName } from './navigation.tsx';
import { toast } from './toasts.ts';

export interface Opening {
  /** The first screen of the patient; Overview by default. */
  readonly screen?: ScreenName | undefined;
  readonly order?: string | undefined;
  readonly found?: FoundPerson | undefined;
  readonly search?: SearchAnswer | undefined;
}

/** The search in which the patient was found. */
interface SearchAnswer {
  readonly receivedAt: string;
  /**
   * All people that the search found. Undefined unless it was a complete search by name, after which nobody else has
   * this name.
   */
  readonly people: readonly FoundPerson[] | undefined;
}

export interface Target extends Opening {
  readonly id: string;
  /** Whether the look-up closed an open patient. */
  readonly closed?: boolean;
  /** When the ID was scanned; undefined if it was typed or selected. */
  readonly scannedAt?: Date | undefined;
  /** Whether the look-up reopens a patient after an unlock. Typing cancels it. */
  readonly isReturn?: boolean;
  /** The scanned code as a US keyboard layout would have typed it. */
  readonly usCode?: string;
}

interface Failure extends Target {
  readonly problem: Problem;
}

export interface WorkspaceState {
  readonly screen: ScreenName;
  /** Counts the visits of screens, including repeated ones. */
  readonly visit: number;
  readonly isMasked: boolean;
  /** Whether the current screen threw. If so, nothing about a patient is shown. */
  readonly hasScreenFailed: boolean;
  /** The MRN, user ID or audit number whose access history the auditor reads. */
  readonly subject: string | undefined;
  readonly person: Person | undefined;
  readonly found: FoundPerson | undefined;
  readonly search: SearchAnswer | undefined;
  readonly order: string | undefined;
  /** Whether Labs opens in the view "Over time". */
  readonly isOverTime: boolean;
  /** The text in the search field. */
  readonly typed: string;
  readonly pending: Target | undefined;
  readonly failed: (Failure & { readonly visit: number }) | undefined;
  readonly headerSlots: HeaderSlots;
  /** The newest is first. The list is kept in memory only. */
  readonly recents: readonly RecentPerson[];
}

const emptySelection = { person: undefined, found: undefined, search: undefined, order: undefined };

/** Elements in the patient's header, into which the current screen renders its controls. */
export interface HeaderSlots {
  readonly print?: HTMLElement | null;
  readonly refresh?: HTMLElement | null;
}

/** The state of the current user's window, until the desk is locked or the user signs out. Its methods are bound. */
export class Workspace {
  readonly startedAt = new Date();
  #state: WorkspaceState;
  readonly #listeners = new Set<() => void>();
  /** Aborts the current look-up, whose answer is then ignored. */
  #lookUp: AbortController | undefined;

  constructor(first: ScreenName) {
    this.#state = {
      ...emptySelection,
      ...{ screen: first, visit: 0, isMasked: false, subject: undefined },
      ...{ hasScreenFailed: false, isOverTime: false },
      ...{ typed: '', pending: undefined, failed: undefined },
      ...{ headerSlots: {}, recents: [] },
    };
  }

  readonly get = (): WorkspaceState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly #set = (change: Partial<WorkspaceState>): void => {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  };

  #startVisit(screen: ScreenName): Pick<WorkspaceState, 'screen' | 'visit' | 'isOverTime'> {
    return { screen, visit: this.#state.visit + 1, isOverTime: false };
  }

  readonly go = (screen: ScreenName): void => this.#set(this.#startVisit(screen));

  readonly setHeaderSlot = (name: keyof HeaderSlots, element: HTMLElement | null): void =>
    this.#set({ headerSlots: { ...this.#state.headerSlots, [name]: element } });

  readonly setScreenFailed = (hasScreenFailed: boolean): void => this.#set({ hasScreenFailed });

  readonly toggleMask = (): void => this.#set({ isMasked: !this.#state.isMasked });

  readonly setSubject = (subject: string | undefined): void => this.#set({ subject });

  readonly setTyped = (typed: string): void => this.#set({ typed });

  readonly open = (person: Person, opening: Opening = {}): void => {
    const { screen = 'person', order, found, search } = opening;
    this.addPerson(person);
    this.#set({
      ...{ person, found, search, order },
      ...this.#startVisit(order === undefined ? screen : 'labs'),
    });
  };

  /** Closes the patient and goes to Search. */
  readonly close = (): void => this.#set({ ...emptySelection, ...this.#startVisit('find') });

  /** Closes the patient and stays on the screen. */
  readonly leave = (): void => this.#set(emptySelection);

  readonly openOrder = (order: string): void => this.#set({ order, ...this.#startVisit('labs') });

  readonly openOverTime = (): void => this.#set({ ...this.#startVisit('labs'), isOverTime: true });

  /** Shows the order without a new visit, so that the focus doesn't move. */
  readonly chooseOrder = (order: string): void => this.#set({ order });

  readonly openOrderAlone = (order: string): void =>
    this.#set({ ...emptySelection, order, ...this.#startVisit('labs') });

  readonly addPerson = ({ value }: Person): void => {
    const { user_id: userId, client_user_id: clientUserId } = value;
    const { recents } = this.#state;
    const person = { userId, clientUserId, at: new Date() };
    this.#set({ recents: addRecent(recents, person) });
  };

  readonly describe = (userId: string, facts: RecentFacts): void =>
    this.#set({ recents: describeRecent(this.#state.recents, userId, facts) });

  readonly forget = (userId: string): void => {
    const { recents } = this.#state;
    this.#set({ recents: recents.filter((one) => one.userId !== userId) });
  };

  /** Closes the open patient and opens the one with this ID. Cancels an earlier look-up. */
  readonly lookUp = (id: string, opening: Omit<Target, 'id' | 'closed'> = {}): void => {
    toast.dismiss('notice.broken');
    this.#lookUp?.abort();
    this.#lookUp = new AbortController();
    const { signal } = this.#lookUp;
    const { person, pending, screen } = this.#state;
    const target = { ...opening, id, closed: person !== undefined || pending?.closed === true };
    this.#set({
      ...emptySelection,
      ...(screen !== 'find' && this.#startVisit('find')),
      ...{ pending: target, failed: undefined },
    });
    const resolved =
      opening.usCode === undefined
        ? resolvePerson(id, signal, opening.found?.user_id)
        : resolveScanned([id, opening.usCode], signal);
    resolved.then(
      (found) => {
        if (signal.aborted) return;
        this.#set({ pending: undefined, typed: '' });
        this.open(found, target);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const { visit } = this.#state;
        const failed = { ...target, problem: toProblem(error), visit };
        this.#set({ pending: undefined, failed });
      },
    );
  };

  readonly lookUpScan = ({ code, usCode }: Pick<Scan, 'code' | 'usCode'>): void => {
    this.setTyped('');
    this.lookUp(code, { scannedAt: new Date(), usCode });
  };

  readonly cancel = (): void => {
    this.#lookUp?.abort();
    this.#set({ pending: undefined });
  };

  readonly dismiss = (): void => {
    toast.dismiss('notice.broken');
    this.#set({ failed: undefined });
  };
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function WorkspaceProvider(props: {
  readonly first: ScreenName;
  readonly children?: ReactNode;
}) {
  const queries = useQueryClientOfSignIn();
  const [workspace] = useState(() => new Workspace(props.first));
  useLayoutEffect(
    () => () => {
      workspace.cancel();
      toast.clear();
    },
    [workspace],
  );
  return (
    <QueryClientProvider client={queries}>
      <WorkspaceContext value={workspace}>{props.children}</WorkspaceContext>
    </QueryClientProvider>
  );
}

/** Returns the workspace for its actions. Its changes don't render the component again. */
export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (workspace === undefined) throw new Error('Only below WorkspaceProvider');
  return workspace;
}

export function useWorkspaceState<K extends keyof WorkspaceState>(key: K): WorkspaceState[K] {
  const { subscribe, get } = useWorkspace();
  const read = (): WorkspaceState[K] => get()[key];
  return useSyncExternalStore(subscribe, read, read);
}
