import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULT_KINDS, type Fault } from './fault.ts';
import { FaultProxy } from './fault-proxy.ts';

const USAGE = `node libs/testing/fault-proxy/src/main.ts --to http://127.0.0.1:8080 --fault KIND
  --fault KIND    ${FAULT_KINDS.join(', ')}
  --ms N          milliseconds, for latency, trickle and doubled (default 100)
  --bytes N       response bytes before reset, half-closed, truncated or stalled (default 0); size of gzip-bomb (default 64 MiB)
  --by N          bytes added to content-length (default 10, may be negative)
  --part P        what garbage affects: all or body (default all)
  --retry-after N seconds, for too-many (default 1)
  --every N       inject the fault into every Nth request (default 1)
  --handshake N   delay each new connection by N milliseconds
  --port N        port to listen on (default: any free port)
  --cert F --key F  certificate and key in PEM: serve TLS
`;

const flags = {
  to: { type: 'string' },
  fault: { type: 'string' },
  ms: { type: 'string' },
  bytes: { type: 'string' },
  by: { type: 'string' },
  part: { type: 'string' },
  'retry-after': { type: 'string' },
  every: { type: 'string' },
  handshake: { type: 'string' },
  port: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
} as const;

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'Failed.'}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const { values: given } = parseArgs({ options: flags, allowNegative: false });
  const number = (name: keyof typeof flags, otherwise: number): number => {
    const value = Number(given[name] ?? otherwise);
    if (!Number.isSafeInteger(value) || (value < 0 && name !== 'by')) {
      throw new Error(`--${name} must be a whole number.`);
    }
    return value;
  };
  const { to = '' } = given;
  if (!URL.canParse(to) || !/^https?:$/u.test(new URL(to).protocol)) {
    throw new Error('--to must be an http:// or https:// URL.');
  }
  if ((given.cert === undefined) !== (given.key === undefined)) {
    throw new Error('--cert and --key must be given together.');
  }
  const fault = faultOf(given.fault ?? 'none', given.part ?? 'all', number);
  const every = Math.max(number('every', 1), 1);
  const tls =
    given.cert === undefined || given.key === undefined
      ? {}
      : { tls: { cert: readFileSync(given.cert, 'utf8'), key: readFileSync(given.key, 'utf8') } };
  const proxy = await FaultProxy.start({ to, port: number('port', 0), ...tls });
  proxy.handshakeMs = number('handshake', 0);
  proxy.faultOf = (path) => {
    const isHit = (proxy.requests.length + 1) % every === 0;
    const played: Fault = isHit ? fault : { kind: 'none' };
    process.stdout.write(`${played.kind} ${path}\n`);
    return played;
  };
  process.stdout.write(`${proxy.url} to ${to}\n`);
  process.once('SIGINT', () => void proxy.stop());
  process.once('SIGTERM', () => void proxy.stop());
}

function faultOf(
  name: string,
  part: string,
  number: (name: keyof typeof flags, otherwise: number) => number,
): Fault {
  const kind = FAULT_KINDS.find((each) => each === name);
  switch (kind) {
    case undefined:
      throw new Error(`Unknown fault ${name}. Faults: ${FAULT_KINDS.join(', ')}.`);
    case 'latency':
    case 'trickle':
    case 'doubled':
      return { kind, ms: number('ms', 100) };
    case 'reset':
    case 'half-closed':
    case 'truncated':
    case 'stalled':
      return { kind, bytes: number('bytes', 0) };
    case 'gzip-bomb':
      return { kind, bytes: number('bytes', 64 * 1024 * 1024) };
    case 'content-length':
      return { kind, by: number('by', 10) };
    case 'too-many':
      return { kind, retryAfterSeconds: number('retry-after', 1) };
    case 'garbage':
      if (part !== 'all' && part !== 'body') {
        throw new Error('--part must be all or body.');
      }
      return { kind, part };
    case 'none':
      return { kind };
  }
}
