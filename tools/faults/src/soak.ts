import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bin, caregateOrThrow, settings } from './cluster/instances.ts';
import { pathsOf, turn } from './cluster/questions.ts';
import { flag, report } from './command.ts';

// A service and a gateway are asked so often, while people are imported and exported, keys rotated, sockets cut and the
// gateway's upstream killed. What they hold at the end is compared with what they held after the first million.
const requests = flag('requests', 10_000_000);
const early = Math.min(flag('early', 1_000_000), requests);
const tick = Math.ceil(requests / 100);
const batch = 10;
let state = flag('seed', 1) >>> 0;

const folder = mkdtempSync(join(tmpdir(), 'caregate-soak-'));
const children = new Set<ChildProcess>();
process.on('exit', () => {
  children.forEach((child) => child.kill('SIGKILL'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

async function serve(
  name: string,
  port = 0,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: URL }> {
  const ready = join(folder, `${name}.ready.json`);
  rmSync(ready, { force: true });
  const where = ['--data', join(folder, name), '--port', String(port), '--ready-file', ready];
  const child = spawn(process.execPath, [bin, 'serve', ...where], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...settings, ...env },
  });
  children.add(child);
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`${name} did not start`);
    await sleep(20);
  }
  const { base_url: base } = JSON.parse(readFileSync(ready, 'utf8')) as { base_url: string };
  return { child, url: new URL(base) };
}

const caregate = (name: string, ...words: string[]): Promise<string> =>
  caregateOrThrow([...words, '--data', join(folder, name)], {});

type Key = Readonly<Record<'key' | 'key_id', string>>;

async function newKey(name: string, role: string): Promise<Key> {
  const who = ['--team', sampleTeamId, '--role', role, '--label', 'soak', '--json'];
  return JSON.parse(await caregate(name, 'keys', 'create', ...who)) as Key;
}

const file = join(folder, 'people.ndjson');
async function importPeople(name: string, first: number, users: number): Promise<void> {
  const lines = Array.from(sampleEnvelopes({ users, first }), (each) => JSON.stringify(each));
  writeFileSync(file, lines.join('\n'));
  await caregate(name, 'import', file);
}

const paths = pathsOf(sampleTeamId);
await importPeople('service', 0, 12);
await importPeople('upstream', 0, 12);
const auditor = await newKey('service', 'auditor');
let asker = await newKey('service', 'clinician');
const gatewayKey = await newKey('gateway', 'clinician');
const [keyFile, upstreams] = [join(folder, 'upstream.key'), join(folder, 'upstreams.json')];
writeFileSync(keyFile, (await newKey('upstream', 'clinician')).key, { mode: 0o600 });
const service = await serve('service');
let upstream = await serve('upstream');
const entries = { [sampleTeamId]: { base_url: upstream.url.origin, api_key_file: keyFile } };
writeFileSync(upstreams, JSON.stringify(entries), { mode: 0o600 });
const gateway = await serve('gateway', 0, { CAREGATE_UPSTREAMS: upstreams });
const measured = { service, gateway };

const answers: Record<string, number> = {};
let done = 0;
let isOver = false;

function count(what: string): void {
  answers[what] = (answers[what] ?? 0) + 1;
}

function requestFor(host: string, key: string): string {
  const path = turn(paths, random(paths.length));
  return `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-service-api-key: ${key}\r\n\r\n`;
}

/** One kept connection, ten requests at a time. */
async function ask(name: keyof typeof measured): Promise<void> {
  const { hostname, port, host } = measured[name].url;
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const send = (): void => {
    const { key } = name === 'service' ? asker : gatewayKey;
    socket.write(Array.from({ length: batch }, () => requestFor(host, key)).join(''));
  };
  let [received, answered]: [Buffer, number] = [Buffer.alloc(0), 0];
  send();
  for await (const [part] of on(socket, 'data', { close: ['close'] })) {
    received = Buffer.concat([received, part as Buffer]);
    for (let head; (head = received.indexOf('\r\n\r\n')) >= 0; answered += 1) {
      const text = received.toString('latin1', 0, head + 2);
      const end = head + 4 + Number(/\r\ncontent-length: (\d+)\r\n/iu.exec(text)?.[1]);
      if (received.length < end) break;
      count(`${name} ${text.slice(9, 12)}`);
      received = received.subarray(end);
    }
    if (answered < batch) continue;
    [done, answered] = [done + batch, 0];
    if (isOver) return void socket.destroy();
    send();
  }
  throw new Error(`The ${name} closed a connection`);
}

/** Requests cut in the middle, answers not awaited, and bytes that are no HTTP. */
async function cutSockets({ url }: typeof service): Promise<void> {
  const whole = requestFor(url.host, asker.key);
  for (let at = 0; at < 20; at += 1) {
    const socket = connect(Number(url.port), url.hostname).on('error', () => undefined);
    await once(socket, 'connect');
    const half = whole.slice(0, random(whole.length));
    socket.write(turn([whole, half, `\0${half}\r\n\r\n`], at));
    await sleep(5);
    socket.resetAndDestroy();
  }
}

async function disturb(round: number): Promise<void> {
  await importPeople('service', round * 20, 20);
  const { key_id: old } = asker;
  asker = JSON.parse(await caregate('service', 'keys', 'rotate', old, '--json')) as Key;
  await caregate('service', 'keys', 'revoke', old);
  const headers = { 'x-service-api-key': auditor.key };
  const exported = await fetch(`${service.url.origin}/audit/export?format=csv`, { headers });
  await exported.text();
  count(`service ${exported.status}`);
  await cutSockets(service);
  await cutSockets(gateway);
  const { child, url } = upstream;
  child.kill('SIGKILL');
  await once(child, 'exit');
  upstream = await serve('upstream', Number(url.port));
  if (round % 25 !== 5) return;
  // Reads the whole log.
  const [out, who] = [join(folder, 'amara.json'), ['--user', personas.amara.userId]];
  await caregate('service', 'person', 'export', '--team', sampleTeamId, ...who, '--out', out);
  rmSync(out);
}

type Held = Record<string, number>;

function heldNow(): Held {
  const held: Held = {};
  for (const [name, { child }] of Object.entries(measured)) {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+)/mu.exec(status)?.[1];
    held[`${name}, MiB`] = Math.round(Number(kib) / 1024);
    held[`${name}, descriptors`] = readdirSync(`/proc/${child.pid}/fd`).length;
    held[`${name}, threads`] = Number(/^Threads:\s+(\d+)/mu.exec(status)?.[1]);
  }
  return held;
}

/** Medians of half a minute, asked and not disturbed. */
async function heldUsually(): Promise<Held> {
  const seen: Held[] = [];
  while (seen.length < 31) {
    seen.push(heldNow());
    await sleep(1000);
  }
  const middle = (what: string): number | undefined =>
    seen.map((each) => each[what] ?? NaN).sort((one, other) => one - other)[15];
  return Object.fromEntries(Object.keys(heldNow()).map((what) => [what, middle(what) ?? NaN]));
}

const asking = [...Array.from({ length: 16 }, () => 'service' as const), 'gateway' as const];
const load = Promise.all(asking.map(ask));
const began = performance.now();
let before: Held | undefined;
for (let [round, next] = [1, tick]; done < requests; round += 1, next = done + tick) {
  while (done < Math.min(next, requests)) await Promise.race([sleep(100), load]);
  await disturb(round);
  if (done >= early) before ??= await heldUsually();
  const rate = Math.round((done * 1000) / (performance.now() - began));
  const now = JSON.stringify({ ...heldNow(), ...answers });
  process.stdout.write(`${done} requests, ${rate} a second: ${now}\n`);
}
const after = await heldUsually();
isOver = true;
await load;
const figures: Record<string, number | string> = { requests: done, ...answers };
const isFine = (what: string): boolean => /^service 200|^gateway (?:200|50[234])$/u.test(what);
let isGood = Object.keys(answers).every(isFine);
for (const [what, value] of Object.entries(after)) {
  const at = before?.[what] ?? NaN;
  figures[what] = `${at}, then ${value}: ${(value / at).toFixed(2)}x`;
  isGood &&= value / at <= 1.1;
}
report(figures, isGood);
process.exit();
