import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import type { Host, Network } from './network.ts';

/** A member of the three; started again it goes on with what it has on disk. */
export function startEtcd(
  machine: Machine,
  network: Network,
  host: Host,
  hosts: readonly Host[],
): ChildProcess {
  const peer = (of: Host): string => `http://${of.address}:2380`;
  const client = `http://${host.address}:2379`;
  const flags = {
    name: host.name,
    'data-dir': join(host.folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer(host),
    'initial-advertise-peer-urls': peer(host),
    'initial-cluster': hosts.map((of) => `${of.name}=${peer(of)}`).join(','),
    'log-level': 'warn',
    // A member that was cut off joins again without making the others elect anew.
    'pre-vote': 'true',
    'enable-v2': 'true',
  };
  return network.start(host, {
    log: 'etcd',
    command: [
      machine.programs.etcd,
      ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    ],
  });
}

export async function etcdStatus(
  host: Host,
): Promise<{ readonly isLeader: boolean; readonly hasLeader: boolean } | undefined> {
  try {
    const answer = await fetch(`http://${host.address}:2379/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(1000),
    });
    const status = (await answer.json()) as { header: { member_id: string }; leader?: string };
    const leader = status.leader ?? '0';
    return { isLeader: leader === status.header.member_id, hasLeader: leader !== '0' };
  } catch {
    return undefined;
  }
}

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
