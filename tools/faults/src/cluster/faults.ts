import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Instance } from './instances.ts';
import { turn } from './questions.ts';

const stoppedMs = 15_000;

export interface Fault {
  readonly name: string;
  /** Longest time without a right answer that we aim at. */
  readonly goalSeconds: number;
  inflict(round: number): Promise<() => Promise<void>>;
}

export function faultsOf(cluster: Cluster, instances: readonly Instance[]): readonly Fault[] {
  const { network, nodes, app } = cluster;
  const others = (one: (typeof nodes)[number]): typeof nodes =>
    nodes.filter((node) => node !== one);
  return [
    {
      name: 'kill -9 of an instance',
      goalSeconds: 0,
      inflict: (round) => {
        const instance = turn(instances, round);
        instance.killNow();
        return Promise.resolve(() => instance.start());
      },
    },
    {
      name: "kill -9 of the primary's PostgreSQL",
      goalSeconds: 15,
      inflict: async () => {
        await network.kill(await cluster.primary(), ['postgres']);
        // Its Patroni is there and brings it back.
        return () => Promise.resolve();
      },
    },
    {
      name: "kill -9 of the primary's PostgreSQL and Patroni",
      goalSeconds: 15,
      inflict: async () => {
        const node = await cluster.primary();
        await network.kill(node, ['patroni', 'postgres']);
        return () => {
          cluster.startPatroni(node);
          return Promise.resolve();
        };
      },
    },
    {
      name: 'kill -9 of the etcd leader',
      goalSeconds: 15,
      inflict: async () => {
        const node = await cluster.etcdLeader();
        await network.kill(node, ['etcd']);
        return () => {
          cluster.startEtcd(node);
          return Promise.resolve();
        };
      },
    },
    {
      name: "the service's sessions are ended",
      goalSeconds: 3,
      inflict: async () => {
        await cluster.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where usename = user and pid <> pg_backend_pid()',
        );
        return () => Promise.resolve();
      },
    },
    {
      // Its time is part of the pause: no primary may go on that can't tell whether it still is one.
      name: `all of etcd, stopped for ${stoppedMs / 1000} s`,
      goalSeconds: 30,
      inflict: async () => {
        for (const node of nodes) {
          await network.kill(node, ['etcd']);
        }
        await sleep(stoppedMs);
        nodes.forEach((node) => {
          cluster.startEtcd(node);
        });
        return () => Promise.resolve();
      },
    },
    {
      name: 'cut: the primary from everybody',
      goalSeconds: 15,
      inflict: async () => {
        const node = await cluster.primary();
        const rest = [...others(node), app];
        await network.cut(node, rest);
        return () => network.heal(node, rest);
      },
    },
    cutFromNodes(cluster),
  ];
}

/** The hardest: the old primary goes on to be asked while another is being made. */
export function cutFromNodes({ network, nodes, ...cluster }: Cluster): Fault {
  return {
    name: 'cut: the primary from the other nodes, not from the service',
    goalSeconds: 15,
    inflict: async () => {
      const node = await cluster.primary();
      const rest = nodes.filter((other) => other !== node);
      await network.cut(node, rest);
      return () => network.heal(node, rest);
    },
  };
}
