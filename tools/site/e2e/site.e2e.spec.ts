import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { checkLinks } from '../src/check-links.ts';

const site = fileURLToPath(new URL('../dist/site', import.meta.url));
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-site-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const read = (file: string) => readFileSync(join(site, file), 'utf8');

/** The content of a page, without the list of pages beside it. */
const contentOf = (page: string) =>
  /class="col-content">(.*?)<div class="col-sidebar">/su.exec(read(page))?.[1] ?? '';
const linksOf = (page: string) =>
  [...contentOf(page).matchAll(/<a [^>]*?href="([^"]+)"/gu)].map(([, to = '']) => to);

/** SHA-256 of each file, by its name. */
function hashes(of: string): Record<string, string> {
  const files = globSync('**/*', { cwd: of }).toSorted();
  return Object.fromEntries(
    files
      .filter((file) => statSync(join(of, file)).isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(of, file)))
          .digest('hex'),
      ]),
  );
}

describe('the site', () => {
  it('has no link that leads nowhere, and loads nothing from another host', () => {
    const { pages, links, findings } = checkLinks(site);
    expect(findings).toEqual([]);
    expect(pages).toBeGreaterThan(500);
    expect(links).toBeGreaterThan(20_000);
  });

  it('has every document of the repository, and no copy of one instead of its page', () => {
    const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((file) => file.replace(/^tools\/site\/pages\//u, '').replace(/\.md$/u, '.html'));
    const files = globSync('**/*', { cwd: site });
    expect(documents.length).toBeGreaterThan(60);
    expect(documents.filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.md'))).toEqual([]);
  });

  it.each([
    ['receptionist.html', 'docs/desktop.html#find-recents-today'],
    ['engineer.html', 'service/docs.html'],
    ['typescript.html', 'classes/_caregate_api-client.HealthDataClient.html'],
    ['it.html', 'docs/install.html#as-a-debian-package'],
    ['auditor.html', 'media/verify.mjs'],
  ])('leads from its first page over %s to %s', (page, target) => {
    expect(linksOf('index.html')).toContain(page);
    expect(linksOf(page)).toContain(target);
  });

  it.each(['api-client', 'audit-log', 'domain', 'sample-data'])(
    'has each module that a program imports of @caregate/%s, and no other',
    (name) => {
      const { exports } = JSON.parse(
        readFileSync(join(root, 'libs', name, 'package.json'), 'utf8'),
      ) as { exports: Record<string, unknown> };
      const published = Object.keys(exports)
        .filter((path) => !['./package.json', './testing'].includes(path))
        .map((path) => `_caregate_${name}${path.slice(1).replace('/', '_')}.html`);
      const made = globSync(`_caregate_${name}{,_*}.html`, { cwd: join(site, 'modules') });
      expect(made.toSorted()).toEqual(published.toSorted());
    },
  );

  it("shows the service's OpenAPI document without asking anybody for it", () => {
    const document = read('service/openapi.json');
    expect(Object.keys((JSON.parse(document) as { paths: object }).paths)).toContain(
      '/v3/order/{order_id}/result',
    );
    const script = read('service/docs/init.js');
    expect(script).not.toMatch(/\burl: '/u);
    // Read as the browser would, it has the same paths; links lead to the site's own pages of problems.
    const shown: { spec: { paths: object }; supportedSubmitMethods: unknown }[] = [];
    runInNewContext(script, { SwaggerUIBundle: (options: never) => shown.push(options) });
    const [{ spec, supportedSubmitMethods }] = shown as [(typeof shown)[number]];
    const paths = JSON.stringify(spec.paths).replaceAll(/(\(problems\/[\w-]+)\.html\)/gu, '$1)');
    expect(JSON.parse(paths)).toEqual((JSON.parse(document) as { paths: object }).paths);
    expect(supportedSubmitMethods).toEqual([]);
    const problems = [...script.matchAll(/\]\((problems\/[^)]+)\)/gu)].map(([, to = '']) => to);
    expect(problems.length).toBeGreaterThan(20);
    expect(problems.filter((to) => globSync(`service/${to}`, { cwd: site }).length === 0)).toEqual(
      [],
    );
  });

  it('is the same to the byte when it is built again, elsewhere, with other settings', () => {
    const again = join(folder, 'again');
    execFileSync(process.execPath, [main, again], {
      stdio: 'pipe',
      cwd: folder,
      env: { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'ar', CAREGATE_PROFILE: 'public-sdk' },
    });
    expect(hashes(again)).toEqual(hashes(site));
  });
});
