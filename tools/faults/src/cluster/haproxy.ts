import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import type { Host, Network } from './network.ts';

/** One address that is always the primary's: whoever's Patroni says that it holds the leader's key. */
export function startHaproxy(
  machine: Machine,
  network: Network,
  host: Host,
  nodes: readonly Host[],
): ChildProcess {
  const file = join(host.folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind ${host.address}:5432
  option httpchk OPTIONS /primary
  http-check expect status 200
  # Connections to a primary that is none any more are ended at once, so that nobody waits for its answer.
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008\n`).join('')}`,
  );
  return network.start(host, {
    log: 'haproxy',
    command: [machine.programs.haproxy, '-db', '-f', file],
  });
}
