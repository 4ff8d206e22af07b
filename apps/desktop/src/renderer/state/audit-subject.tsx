import { useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { workspaceContext } from './context.ts';

/** Whom the auditor's desk is about: a patient by id, or a member of staff; undefined for everybody. */
export interface Subject {
  readonly kind: 'patient' | 'actor';
  readonly id: string;
  /** An actor's name, where known. */
  readonly name?: string | undefined;
}

interface AuditSubject {
  readonly subject: Subject | undefined;
  readonly setSubject: (subject: Subject | undefined) => void;
}

const [SubjectContext, useAuditSubject] = workspaceContext<AuditSubject>();
export { useAuditSubject };

export function AuditSubjectProvider({ children }: { children: ReactNode }): ReactElement {
  const [subject, setSubject] = useState<Subject>();
  const value = useMemo(() => ({ subject, setSubject }), [subject]);
  return <SubjectContext value={value}>{children}</SubjectContext>;
}
