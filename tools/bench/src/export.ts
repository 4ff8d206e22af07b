import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { within, type Row } from './measure.ts';
import { benchKey, command, noLimits, startService, workFolder } from './service.ts';

const results = Number(process.env['BENCH_EXPORT'] ?? 100_000);

/** `Patient/$export` of a team with as many lab results, file after file. */
export async function whileExported(): Promise<Row[]> {
  const folder = workFolder();
  await importResults(folder.path);
  const authorization = `Bearer ${await benchKey(folder.path, sampleTeamId)}`;
  const service = await startService(['serve', '--data', folder.path], noLimits);
  try {
    const ask = async (url: string, more = {}): Promise<Response> => {
      const answer = await fetch(url, { headers: { authorization, ...more } });
      if (!answer.ok) {
        throw new Error(`${url} was answered with ${answer.status}: ${await answer.text()}`);
      }
      return answer;
    };
    const begins = `${service.baseUrl}/fhir/r4/Patient/$export`;
    const { headers } = await ask(begins, { prefer: 'respond-async' });
    const status = await ask(headers.get('content-location') ?? '');
    const { output } = (await status.json()) as { output: { url: string }[] };
    const beganMs = performance.now();
    let bytes = 0;
    for (const { url } of output) {
      const { body } = await ask(url, { 'accept-encoding': 'identity' });
      for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
      }
    }
    const what = `an export of ${results.toLocaleString('en')} results`;
    const megabytes = bytes / 1e6;
    return [
      within(`resident memory during ${what}, at its peak`, 'MiB', 300, peakMiB(service.pid)),
      { what: `${what}: size`, unit: 'MB', measured: megabytes },
      {
        what: `${what}: a second`,
        unit: 'MB',
        measured: megabytes / ((performance.now() - beganMs) / 1000),
      },
    ];
  } finally {
    await service.stop();
    folder.remove();
  }
}

async function importResults(data: string): Promise<void> {
  await command(['import', '-', '--data', data], async (stdin) => {
    let left = results;
    for (const envelope of sampleEnvelopes({ users: results, mindfulnessDays: 2 })) {
      // A person's results follow the person.
      if (left <= 0 && envelope.kind === 'user') {
        break;
      }
      left -= envelope.kind === 'lab_result' ? 1 : 0;
      if (!stdin.write(`${JSON.stringify(envelope)}\n`)) {
        await once(stdin, 'drain');
      }
    }
    stdin.end();
  });
}

function peakMiB(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
