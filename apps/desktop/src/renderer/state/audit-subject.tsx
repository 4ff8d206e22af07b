import { createContext, use, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** Whom the auditor's desk is about: a patient by id, or a member of staff, or everybody. */
export interface Subject {
  readonly kind: 'patient' | 'actor';
  readonly id: string;
  /** What an actor is called, where that is known. */
  readonly name?: string | undefined;
}

interface AuditSubject {
  readonly subject: Subject | undefined;
  readonly setSubject: (subject: Subject | undefined) => void;
}

const SubjectContext = createContext<AuditSubject | undefined>(undefined);

export function AuditSubjectProvider({ children }: { children: ReactNode }): ReactElement {
  const [subject, setSubject] = useState<Subject>();
  const value = useMemo(() => ({ subject, setSubject }), [subject]);
  return <SubjectContext value={value}>{children}</SubjectContext>;
}

/** Only below WorkspaceProvider. */
export function useAuditSubject(): AuditSubject {
  const value = use(SubjectContext);
  if (value === undefined) throw new Error('useAuditSubject needs a WorkspaceProvider above');
  return value;
}
