import { execFile, type ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { until, type Cluster } from './cluster.ts';

const run = promisify(execFile);
export const bin = fileURLToPath(
  new URL('../../../../apps/service/bin/caregate.mjs', import.meta.url),
);

export interface Instance {
  readonly baseUrl: string;
  killNow(): void;
  start(durability?: 'one-machine' | 'replicated'): Promise<void>;
}

export function newInstance(cluster: Cluster, name: string, port: number): Instance {
  const { network, app } = cluster;
  const ready = join(app.folder, `${name}.ready.json`);
  const data = join(app.folder, name);
  let child: ChildProcess | undefined;
  return {
    baseUrl: `http://${app.address}:${port}`,
    killNow: () => child?.kill('SIGKILL'),
    start: async (durability = 'replicated') => {
      rmSync(ready, { force: true });
      child = network.start(app, {
        log: name,
        command: [
          ...[process.execPath, bin, 'serve', '--data', data, '--ready-file', ready],
          ...['--host', app.address, '--plain-http', '--port', String(port)],
        ],
        env: {
          DATABASE_URL: cluster.url,
          CAREGATE_DATABASE_DURABILITY: durability,
          ...settings,
        },
      });
      await until(`instance ${name} is ready`, () => Promise.resolve(existsSync(ready)));
    },
  };
}

const limits = new URL('../../../../apps/service/dist/config/limits.js', import.meta.url).href;
const noAddressLimit = `import{LIMITS}from'${limits}';LIMITS.requestsPerAddress=1e6`;

/** So that no limit stands in the load's way, and each instance's log can be read. */
export const settings = {
  CAREGATE_BUDGET_PER_KEY: '100000000',
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noAddressLimit)}`,
  CAREGATE_LOG_LEVEL: 'warn',
};

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function caregate(
  arguments_: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:CAREGATE|DATABASE)_/u.test(name),
  );
  try {
    const { stdout, stderr } = await run(process.execPath, [bin, ...arguments_], {
      env: { ...Object.fromEntries(own), ...env },
      maxBuffer: 2 ** 28,
    });
    return { status: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    return { status: typeof code === 'number' ? code : 1, stdout, stderr };
  }
}

/** @throws with what it wrote where it did not end well */
export async function caregateOrThrow(
  arguments_: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { status, stdout, stderr } = await caregate(arguments_, env);
  if (status !== 0) {
    throw new Error(`caregate ${arguments_.slice(0, 2).join(' ')}: ${status}\n${stderr}`);
  }
  return stdout;
}
