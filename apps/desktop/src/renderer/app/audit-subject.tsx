import { useMemo, useState } from 'react';
import { provided } from './context.tsx';

/** Whom the auditor's desk is about: a patient by id, or a member of staff; undefined for everybody. */
export interface Subject {
  readonly kind: 'patient' | 'actor';
  readonly id: string;
  readonly name?: string | undefined;
}

export const [AuditSubjectProvider, useAuditSubject] = provided(() => {
  const [subject, setSubject] = useState<Subject>();
  return useMemo(() => ({ subject, setSubject }), [subject]);
});
