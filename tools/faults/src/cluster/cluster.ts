import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { etcdStatus, startEtcd, startHaproxy } from './etcd-haproxy.ts';
import type { Machine } from './machine.ts';
import { makeNetwork, type Host, type Network } from './network.ts';
import { membersSeenBy, preparePatroni, startPatroni } from './patroni-node.ts';

const run = promisify(execFile);
const settleMs = 120_000;

/** Three machines, each with PostgreSQL, Patroni and etcd, and one with HAProxy and room for the service. */
export interface Cluster {
  readonly network: Network;
  readonly nodes: readonly Host[];
  readonly app: Host;
  readonly url: string;
  /** Rows of a statement, each as its columns' texts. */
  query(sql: string): Promise<string[][]>;
  primary(): Promise<Host>;
  etcdLeader(): Promise<Host>;
  startEtcd(node: Host): void;
  startPatroni(node: Host): void;
  /** Waits until all three are there, on one timeline, with one primary and as many synchronous standbys as asked for. */
  settled(): Promise<void>;
  /** From now on commits wait for nobody: what the control needs in order to lose. */
  makeAsynchronous(): Promise<void>;
}

/** @throws where it is not up within two minutes; then everything is removed */
export async function startCluster(machine: Machine): Promise<Cluster> {
  const network = await makeNetwork(machine.programs.ip, ['n1', 'n2', 'n3', 'app']);
  try {
    return await raise(machine, network);
  } catch (error) {
    await network.remove();
    throw error;
  }
}

async function raise(machine: Machine, network: Network): Promise<Cluster> {
  network.hosts.forEach(({ folder }) => {
    mkdirSync(folder);
  });
  const [n1, n2, n3, app] = network.hosts as [Host, Host, Host, Host];
  const nodes = [n1, n2, n3];
  const password = randomBytes(12).toString('hex');
  const user = postgresUser();
  preparePatroni(machine, nodes, {
    ...{ password, user },
    network: `${n1.address}/24`,
  });
  nodes.forEach((node) => startEtcd(machine, network, node, nodes));
  await until('etcd has a leader', async () => (await statuses(nodes)).every((s) => s?.hasLeader));
  nodes.forEach((node) => startPatroni(machine, network, node, user));
  startHaproxy(machine, network, app, nodes);

  const psql = async (url: string, sql: string): Promise<string[][]> => {
    const arguments_ = ['-X', '-q', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1', url];
    const { stdout } = await run(machine.postgres('psql'), [...arguments_, '-c', sql], {
      maxBuffer: 2 ** 30,
      cwd: '/',
      env: { ...process.env, PGCONNECT_TIMEOUT: '5' },
    });
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((row) => row.split('\t'));
  };
  const urlOf = (who: string, database: string): string =>
    `postgresql://${who}:${password}@${app.address}:5432/${database}?sslmode=disable`;

  const superuser = urlOf('postgres', 'postgres');
  let synchronous = 2;
  const settled = (): Promise<void> =>
    until('the cluster is whole', async () => {
      const seen = await Promise.all(nodes.map(membersSeenBy));
      const etcd = await statuses(nodes);
      const [row] = await psql(superuser, standbys);
      return (
        seen.every((members) => isWhole(members, synchronous)) &&
        etcd.every((status) => status?.hasLeader) &&
        Number(row?.[0]) === 2 &&
        Number(row?.[1]) === synchronous
      );
    });
  await settled();
  // The service is no superuser of its database.
  await psql(superuser, `create role caregate login password '${password}'`);
  await psql(superuser, 'create database caregate owner caregate');
  const url = urlOf('caregate', 'caregate');
  return {
    ...{ network, nodes, app, url, settled },
    query: (sql) => psql(url, sql),
    primary: async () => {
      const [row] = await psql(superuser, 'select host(inet_server_addr())');
      const found = nodes.find(({ address }) => address === row?.[0]);
      return found ?? Promise.reject(new Error('No primary answers'));
    },
    etcdLeader: async () => {
      const at = (await statuses(nodes)).findIndex((status) => status?.isLeader);
      return nodes[at] ?? Promise.reject(new Error('etcd has no leader'));
    },
    startEtcd: (node) => void startEtcd(machine, network, node, nodes),
    startPatroni: (node) => void startPatroni(machine, network, node, user),
    makeAsynchronous: async () => {
      synchronous = 0;
      const settings = { synchronous_mode: false, synchronous_mode_strict: false };
      const answer = await fetch(`http://${n1.address}:8008/config`, {
        method: 'PATCH',
        body: JSON.stringify(settings),
      });
      if (!answer.ok) {
        throw new Error(`Patroni refused its settings: ${answer.status}`);
      }
      await until('commits wait for nobody', async () => {
        const [row] = await psql(superuser, 'show synchronous_standby_names');
        return row === undefined;
      });
      await settled();
    },
  };
}

const standbys = `select count(*) filter (where state = 'streaming'),
  count(*) filter (where sync_state = 'sync') from pg_stat_replication`;

function isWhole(
  members: readonly { role: string; state: string; timeline?: number | undefined; lag?: unknown }[],
  synchronous: number,
): boolean {
  const [first] = members;
  return (
    members.length === 3 &&
    members.every(({ state, timeline }) => isRunning(state) && timeline === first?.timeline) &&
    members.filter(({ role }) => role === 'leader').length === 1 &&
    members.filter(({ role }) => role === 'sync_standby').length === synchronous &&
    members.every(({ lag }) => lag === undefined || Number(lag) < 1_048_576)
  );
}

/** Later versions tell a standby that replicates from one that only runs. */
function isRunning(state: string): boolean {
  return state === 'running' || state === 'streaming';
}

function statuses(nodes: readonly Host[]): Promise<Awaited<ReturnType<typeof etcdStatus>>[]> {
  return Promise.all(nodes.map(etcdStatus));
}

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + settleMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      if (await holds()) {
        return;
      }
    } catch (error) {
      last = error;
    }
    await sleep(200);
  }
  throw new Error(`Waited ${settleMs / 1000} s in vain: ${what}`, { cause: last });
}

function postgresUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => /^(?:postgres):/u.test(entry));
  const [, , uid, gid] = (line ?? '').split(':');
  if (uid === undefined || gid === undefined) {
    throw new Error("There is no user postgres; Debian's package makes it.");
  }
  return { uid: Number(uid), gid: Number(gid) };
}
