import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A network namespace with one address on the bridge. */
export interface Host {
  readonly name: string;
  readonly address: string;
  readonly folder: string;
}

export interface Network {
  readonly folder: string;
  readonly hosts: readonly Host[];
  /** Starts a program there; its output goes to `<program's name>.log` in the host's folder. */
  start(host: Host, what: Start): ChildProcess;
  kill(host: Host, names: readonly string[]): Promise<number>;
  /** From now on no packet passes between the one and the others, either way, and nobody is told. */
  cut(one: Host, others: readonly Host[]): Promise<void>;
  heal(one: Host, others: readonly Host[]): Promise<void>;
  remove(): Promise<void>;
}

interface Start {
  readonly log: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A machine address that nobody has: what is sent there is lost without a word. */
const nobody = '02:00:00:00:00:01';

/** In 198.18.0.0/15, kept for such tests. All is gone after `remove`, or when this process ends, however it ends. */
export async function makeNetwork(ip: string, names: readonly string[]): Promise<Network> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-cluster-'));
  chmodSync(folder, 0o755);
  const tag = `cg${process.pid.toString(36)}`;
  // Two runs at once meet only if their process ids end alike.
  const subnet = `198.18.${process.pid % 256}`;
  const hosts = names.map((name, at) => ({
    name: `${tag}${name}`,
    address: `${subnet}.${at + 1}`,
    folder: join(folder, name),
  }));
  const bridge = `${tag}br`;
  const backend = keep({ ip, bridge, folder, names: hosts.map((host) => host.name) });
  const command = async (line: string): Promise<void> => {
    await run(ip, line.split(' '));
  };
  try {
    await command(`link add ${bridge} type bridge`);
    await command(`addr add ${subnet}.254/24 dev ${bridge}`);
    await command(`link set ${bridge} up`);
    for (const { name, address } of hosts) {
      await command(`netns add ${name}`);
      await command(`link add ${name} type veth peer name eth0 netns ${name}`);
      await command(`link set ${name} master ${bridge} up`);
      await command(`-n ${name} link set lo up`);
      await command(`-n ${name} addr add ${address}/24 dev eth0`);
      await command(`-n ${name} link set eth0 up`);
    }
  } catch (error) {
    await backend.end();
    throw error;
  }
  /** Both ways, since each side alone would still hear the other. */
  const eachWay = async (
    one: Host,
    others: readonly Host[],
    line: (to: Host) => string,
  ): Promise<void> => {
    const pairs = others.flatMap((other) => [[one, other] as const, [other, one] as const]);
    await Promise.all(pairs.map(([from, to]) => command(`-n ${from.name} neigh ${line(to)}`)));
  };
  return {
    folder,
    hosts,
    start: (host, what) => start(ip, host, what),
    kill: async (host, programs) => {
      const { stdout } = await run(ip, ['netns', 'pids', host.name]);
      const pids = stdout.split('\n').filter(Boolean).map(Number);
      const meant = pids.filter((pid) => programs.includes(nameOf(pid)));
      meant.forEach(killNow);
      return meant.length;
    },
    cut: (one, others) =>
      eachWay(
        one,
        others,
        ({ address }) => `replace ${address} lladdr ${nobody} dev eth0 nud permanent`,
      ),
    heal: (one, others) => eachWay(one, others, ({ address }) => `del ${address} dev eth0`),
    remove: backend.end,
  };
}

function start(ip: string, host: Host, { log, command, env }: Start): ChildProcess {
  const output = openSync(join(host.folder, `${log}.log`), 'a');
  try {
    return spawn(ip, ['netns', 'exec', host.name, ...command], {
      cwd: host.folder,
      // Of a group of its own: a terminal's Ctrl-C is for the script alone.
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'] ?? '', HOME: host.folder, LC_ALL: 'C.UTF-8', ...env },
    });
  } finally {
    closeSync(output);
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** A small process that outlives this one by a moment: when its standard input ends, for whatever reason, it tidies up. */
function keep(parts: { ip: string; bridge: string; folder: string; names: readonly string[] }): {
  readonly end: () => Promise<void>;
} {
  const script = `
    cat >/dev/null; ip=$0; bridge=$1; folder=$2; shift 2
    for round in 1 2 3; do
      for name; do "$ip" netns pids "$name" | while read -r pid; do kill -9 "$pid"; done; done; sleep 0.1
    done
    for name; do "$ip" netns del "$name"; done
    "$ip" link del "$bridge"; rm -rf "$folder"`;
  const { ip, bridge, folder, names } = parts;
  const child = spawn('/bin/sh', ['-c', script, ip, bridge, folder, ...names], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  child.unref();
  return {
    end: async () => {
      child.ref();
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
