import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const caregate = fileURLToPath(new URL('../../../apps/service/bin/caregate.mjs', import.meta.url));

/** The document is part of the page, which so needs neither network nor server, and sends no request. */
export async function writeServicePages(folder: string): Promise<void> {
  await withService(async (baseUrl) => {
    const get = async (path: string): Promise<Buffer> => {
      const answer = await fetch(`${baseUrl}/${path}`);
      if (!answer.ok) throw new Error(`The service answers /${path} with ${answer.status}.`);
      return Buffer.from(await answer.arrayBuffer());
    };
    const write = (file: string, content: Buffer | string): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    };
    const openApi = (await get('openapi.json')).toString();
    write('openapi.json', openApi);
    const page = (await get('docs')).toString();
    write('docs.html', page);
    for (const file of matches(page, /(?:href|src)="(docs\/[^"]+)"/gu)) {
      const content = await get(file);
      write(file, file === 'docs/init.js' ? withDocument(content.toString(), openApi) : content);
    }
    for (const problem of matches(openApi, problemLinks)) {
      const text = (await get(problem)).toString();
      write(`${problem}.html`, text.replaceAll('href="../docs"', 'href="../docs.html"'));
    }
  });
}

/** In the descriptions, which are Markdown in JSON. */
const problemLinks = /\]\((problems\/[\w-]+)\)/gu;

/** The script of the page, with the document in place of its address. */
function withDocument(script: string, openApi: string): string {
  const address = "url: 'openapi.json',";
  if (!script.includes(address)) throw new Error(`The script of /docs has no ${address}`);
  // A file has its ending; "<" can't end the script, should somebody put it into a page.
  const document = openApi.replace(problemLinks, ']($1.html)').replaceAll('<', '\\u003c');
  return script.replace(address, () => `spec: ${document},\n  supportedSubmitMethods: [],`);
}

function matches(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].map(([, found = '']) => found));
}

async function withService(use: (baseUrl: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-site-'));
  const readyFile = join(folder, 'ready.json');
  const words = ['serve', '--data', join(folder, 'data'), '--port', '0', '--ready-file', readyFile];
  // Without the settings of this environment.
  const settings = Object.entries(process.env).filter(
    ([name]) => !/^(?:CAREGATE|DATABASE)_/u.test(name),
  );
  const child = spawn(process.execPath, [caregate, ...words], {
    env: Object.fromEntries(settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close');
  try {
    while (!existsSync(readyFile)) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`The service ended before it was ready: ${errors}`);
      }
      await sleep(20);
    }
    const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as { readonly base_url: string };
    await use(ready.base_url);
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
