import { useMemo, useState } from 'react';
import { provided } from './context.tsx';

/** Whose access history the auditor reads, by MRN, user ID, or the audit number of a record. */
export const [AuditSubjectProvider, useAuditSubject] = provided(() => {
  const [subject, setSubject] = useState<string>();
  return useMemo(() => ({ subject, setSubject }), [subject]);
});
