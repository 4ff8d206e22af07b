import { readFileSync } from 'node:fs';

/** User and group for `spawn`; empty to run as the caller. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** If the caller is root, returns the user of Debian's PostgreSQL package, or `nobody` if there is none. */
export function unprivileged(): Identity {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const user = users.get('postgres') ?? users.get('nobody');
  if (user === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and neither the user postgres nor nobody exists.',
    );
  }
  return user;
}
