import type { ChildProcess } from 'node:child_process';
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

/** What a member says of itself; undefined where it doesn't answer. */
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
