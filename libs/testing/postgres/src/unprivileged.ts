import { readFileSync } from 'node:fs';

/** Whom to run as, for `spawn`; empty where the caller itself will do. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** Where the caller is root: the user that Debian's package makes for the server, else `nobody`. */
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
    throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
  }
  return user;
}
