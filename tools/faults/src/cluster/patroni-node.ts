import type { ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Machine } from './machine.ts';
import type { Host, Network } from './network.ts';

/** How soon Patroni notices, in seconds. Its rule: loop_wait + 2 * retry_timeout <= ttl. */
export const pace = { ttl: 8, loop_wait: 1, retry_timeout: 3 };

export interface NodeSettings {
  readonly password: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly network: string;
}

/** JSON is YAML too. */
export function preparePatroni(
  machine: Machine,
  hosts: readonly Host[],
  settings: NodeSettings,
): void {
  for (const host of hosts) {
    const home = join(host.folder, 'postgres');
    mkdirSync(home);
    const file = join(home, 'patroni.yml');
    writeFileSync(file, JSON.stringify(configuration(machine, host, hosts, settings), null, 2), {
      mode: 0o600,
    });
    chownSync(home, settings.user.uid, settings.user.gid);
    chownSync(file, settings.user.uid, settings.user.gid);
  }
}

export function startPatroni(
  machine: Machine,
  network: Network,
  host: Host,
  { uid, gid }: NodeSettings['user'],
): ChildProcess {
  const home = join(host.folder, 'postgres');
  return network.start(host, {
    log: 'patroni',
    command: [
      ...[machine.programs.setpriv, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
      ...[machine.programs.patroni, join(home, 'patroni.yml')],
    ],
    env: { HOME: home },
  });
}

function configuration(
  machine: Machine,
  host: Host,
  hosts: readonly Host[],
  { password, network }: NodeSettings,
): object {
  const home = join(host.folder, 'postgres');
  const authentication = { username: 'postgres', password };
  return {
    scope: 'caregate',
    name: host.name,
    restapi: { listen: `${host.address}:8008`, connect_address: `${host.address}:8008` },
    // API 2 compares and swaps the leader's key. By 3, Patroni 3.0.2 writes it whoever has it (upstream's #2689 mended that): a
    // primary that was cut off together with its etcd and comes back takes the key from the new one, whose records are lost.
    etcd: { hosts: hosts.map(({ address }) => `${address}:2379`) },
    bootstrap: {
      dcs: {
        ...pace,
        maximum_lag_on_failover: 1_048_576,
        // A PostgreSQL that was killed is not started again first: another takes over at once.
        master_start_timeout: 0,
        synchronous_mode: true,
        // Without any standby nothing is committed at all, rather than on one machine alone.
        synchronous_mode_strict: true,
        // Both: with one, the other may be ahead of the new primary, and commits wait until it is rewound.
        synchronous_node_count: 2,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 200,
            shared_buffers: '64MB',
            wal_keep_size: '256MB',
            // How long a primary that stops waits for standbys it can't reach.
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
            // A standby asks again soon for its slot, which the new primary makes a second late.
            wal_retrieve_retry_interval: '500ms',
            tcp_keepalives_idle: 5,
            tcp_keepalives_interval: 2,
            tcp_keepalives_count: 3,
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        `host replication postgres ${network} scram-sha-256`,
        `host all all ${network} scram-sha-256`,
        'local all postgres scram-sha-256',
      ],
    },
    postgresql: {
      listen: `${host.address}:5432`,
      connect_address: `${host.address}:5432`,
      data_dir: join(home, 'data'),
      bin_dir: dirname(machine.postgres('initdb')),
      pgpass: join(home, 'pgpass'),
      parameters: { unix_socket_directories: home, password_encryption: 'scram-sha-256' },
      authentication: {
        superuser: authentication,
        replication: authentication,
        rewind: authentication,
      },
    },
    watchdog: { mode: 'off' },
  };
}

export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline: number | undefined;
  readonly lag: number | string | undefined;
}

export async function membersSeenBy(host: Host): Promise<readonly Member[]> {
  try {
    const answer = await fetch(`http://${host.address}:8008/cluster`, {
      signal: AbortSignal.timeout(2000),
    });
    return ((await answer.json()) as { members: Member[] }).members;
  } catch {
    return [];
  }
}
