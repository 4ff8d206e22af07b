import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packagesOfWorkspace, root } from './packages.mjs';

const notOurs = /(?:^|[\\/])(?:node_modules|dist|out|reports|coverage|\.\w[^\\/]*)(?:[\\/]|$)/u;
const files = (pattern) =>
  globSync(pattern, { cwd: root, exclude: (path) => notOurs.test(String(path)) }).filter(
    (file) => !notOurs.test(file),
  );
const read = (file) => readFileSync(join(root, file), 'utf8');

/** As GitHub makes them of headings. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (?<heading>.*)$/gmu)].map(({ groups }) =>
    groups.heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('documents', () => {
  it.each(files('**/*.md'))('%s: links lead somewhere', (file) => {
    const text = read(file).replace(/^```.*?^```/gmsu, '');
    const broken = [...text.matchAll(/\]\((?<to>[^)\s]+)\)/gu)]
      .map(({ groups }) => groups.to)
      // `site:` is a page that tools/site makes and checks.
      .filter((to) => !/^(?:https?|mailto|site):/u.test(to))
      .filter((to) => {
        const [path, anchor] = to.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('and texts call the code that enrols a desk one thing', () => {
    const texts = files('{apps,libs,docs,ops,tools}/**/*.{md,ts,tsx,json}');
    const named = texts.filter((file) =>
      /\bset-?up[ -]code|\b(?:desk|registration)[ -]code\b/iu.test(read(file)),
    );
    expect(named).toEqual([]);
    const words = { en: 'Enrolment code', es: 'Código de registro', ar: 'رمز التسجيل' };
    for (const [language, word] of Object.entries(words)) {
      const text = JSON.parse(read(`apps/desktop/src/renderer/text/${language}.json`));
      expect(text['enrol.code']).toBe(word);
    }
  });

  it('have each part of the interface that code cites', () => {
    const parts = anchorsOf(read('docs/interface.md')).map((anchor) => anchor.split('-')[0]);
    const cited = files('{apps,libs,tools}/**/*.{ts,tsx,mjs}').flatMap((file) =>
      [...read(file).matchAll(/interface document,? (?:part )?(?<part>\d+(?:\.\d+)?)/gu)].map(
        ({ groups }) => groups.part.replace('.', ''),
      ),
    );
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((part) => !parts.includes(part))).toEqual([]);
  });

  it('that code cites by name are in the repository', () => {
    const all = files('**/*.md').map((file) => file.replaceAll('\\', '/'));
    const names = new Set(all.map((file) => file.split('/').at(-1)));
    const isHere = (path, file) =>
      path.includes('/')
        ? [root, join(root, dirname(file))].some((from) => existsSync(join(from, path)))
        : names.has(path);
    const cited = files('{apps,libs,tools}/**/*.{ts,tsx,mjs,md}').flatMap((file) =>
      [...read(file).matchAll(/(?<![\w*])(?<path>[\w./-]*[\w-]\.md)\b/gu)]
        .map(({ groups }) => groups.path)
        .filter((path) => !isHere(path, file)),
    );
    expect([...new Set(cited)]).toEqual([]);
  });

  it('that name a source file name one that is here', () => {
    const all = files('{apps,libs,tools}/**/*.{ts,tsx,mjs,mts,cjs,js}').map((file) =>
      file.replaceAll('\\', '/'),
    );
    const isHere = (name) => all.some((file) => `/${file}`.endsWith(`/${name}`));
    const gone = files('{apps,libs,tools}/**/README.md').flatMap((document) =>
      [...read(document).matchAll(/`(?:\.{1,2}\/)*(?<name>[\w./-]+\.(?:tsx?|m[jt]s|cjs))`/gu)]
        .map(({ groups }) => groups.name)
        .filter((name) => !isHere(name))
        .map((name) => `${document}: ${name}`),
    );
    expect(gone).toEqual([]);
  });

  it('run by npx only what npm ci brings: of any other name npm asks the public registry', () => {
    const programs = packagesOfWorkspace().flatMap(
      ({ own: { bin = {}, devDependencies = {} } }) => [
        // npm links no program whose file a build makes.
        ...Object.keys(bin).filter((name) => !bin[name].startsWith('./dist/')),
        ...Object.keys(devDependencies),
      ],
    );
    const others = files('**/*.md').flatMap((file) =>
      [...read(file).matchAll(/\bnpx (?:-\S+ )*(?<name>[\w@/.-]+)/gu)]
        .map(({ groups }) => groups.name)
        .filter((name) => !programs.includes(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(others).toEqual([]);
  });

  it('begin with a README that fits on a screen', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(60);
  });
});

describe('the words of an auditor', () => {
  const en = JSON.parse(read('apps/desktop/src/renderer/text/en.json'));
  const found = (pattern, ...names) =>
    names
      .flatMap(files)
      .flatMap((file) =>
        [...read(file).matchAll(pattern)].flatMap(({ groups }) =>
          Object.values(groups).filter(Boolean),
        ),
      );
  const sources = '{apps/service,libs/audit-log}/src/**/*.ts';
  const code = globSync(sources, { cwd: root }).filter(
    (file) => !/\.(?:spec|testing)\.ts$/u.test(file),
  );
  const operations = new Set([
    ...found(/^ {2}(?<name>\w+): \{$/gmu, 'libs/domain/src/operations.ts'),
    ...found(/^ {2}(?<name>\w+): row\(/gmu, 'apps/service/src/operations/service-operations.ts'),
    ...found(
      /^ {2}(?<name>\w+): (?:\{ \.{3})?(?:read|search|ofExport)\(/gmu,
      'apps/service/src/operations/fhir-operations.ts',
    ),
    ...found(
      /^ {2}(?<name>\w+): \{ method: 'POST'/gmu,
      'apps/service/src/operations/public-routes.ts',
    ),
    ...found(/^ {2}\w+: '(?<name>\w+)',$/gmu, 'apps/service/src/access/access-acts.ts'),
    ...found(/^export const \w+ = '(?<name>\w+)';$/gmu, 'libs/audit-log/src/entry/record-text.ts'),
    ...found(/[=:] '(?<name>\w+)'/gu, 'apps/service/src/audit/system-record.ts'),
    ...found(
      /(?:(?:commandEntry|systemEntry)\(|recorded\((?:flags\.)?data, )'(?<call>\w+)'|\b(?:operation:|\w*[oO]peration =) '(?<name>\w+)'/gu,
      ...code,
    ),
  ]);
  // The type of a column, and of a request that is none; a category of data.
  for (const none of ['text', 'none', 'audit']) operations.delete(none);

  it('name every operation that a record may have', () => {
    for (const known of [
      'searchPeople',
      'deskRevoked',
      'backup',
      'moveToDatabase',
      'showRecord',
      'addLegalHold',
    ]) {
      expect(operations).toContain(known);
    }
    const told = Object.keys(en)
      .filter((key) => key.startsWith('audit.operation.'))
      .map((key) => key.split('.').pop());
    expect(told.toSorted()).toEqual([...operations].toSorted());
  });

  it('name every document that a desk prints, copies, saves or exports, and each of these', () => {
    const text = read('libs/domain/src/validation/known-values.ts');
    const listed = (list) => {
      const [, words] = new RegExp(`${list} = \\[([^\\]]*)\\]`, 'u').exec(text);
      return [...words.matchAll(/'(?<word>\w+)'/gu)].map(({ groups }) => groups.word);
    };
    const wanted = [
      ...listed('DESK_EVENT_KINDS').map((kind) => `audit.did.${kind}`),
      ...listed('DESK_DOCUMENTS').map((document) => `audit.document.${document}`),
    ];
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((key) => en[key] === undefined)).toEqual([]);
  });
});
