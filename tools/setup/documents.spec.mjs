import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

const documents = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file) => readFileSync(join(root, file), 'utf8');
const manifests = globSync('{,{apps,libs,libs/testing,tools}/*/}package.json', { cwd: root });
const packages = manifests.map((file) => JSON.parse(read(file)));

function find(file, pattern) {
  return [...read(file).matchAll(pattern)].map(({ groups }) => groups.found);
}

/** Returns the anchors that GitHub creates for headings. */
function anchors(file) {
  return find(file, /^#+ (?<found>.*)$/gmu).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(documents)('%s', (file) => {
  it('has no link to a file or heading that does not exist', () => {
    const broken = find(file, /\]\((?<found>[^)\s]+)\)/gu).filter((link) => {
      if (/^(?:https?|mailto):/u.test(link)) return false;
      const [path, anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchors(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('has no command that does not exist', () => {
    const scripts = packages.flatMap(({ scripts = {} }) => Object.keys(scripts));
    const programs = packages.flatMap(({ bin = {}, devDependencies = {} }) => [
      ...Object.keys(bin),
      ...Object.keys(devDependencies),
    ]);
    const missing = [
      ...find(file, /\bnpm run (?<found>[\w:-]+)/gu).filter((name) => !scripts.includes(name)),
      ...find(file, /\bnpx (?:-\S+ )*(?<found>[\w@/.-]+)/gu).filter(
        (name) => !programs.includes(name),
      ),
      ...find(file, /\bnode (?:-\S+ )*(?<found>(?:apps|libs|tools)\/\S+?\.m?[jt]s)/gu).filter(
        (path) => !path.includes('/dist/') && !existsSync(join(root, path)),
      ),
      ...find(file, /\bnpm test -- (?<found>(?:apps|libs|tools)\/[^\s`]+)/gu).filter(
        (path) => !existsSync(join(root, path)),
      ),
    ];
    expect(missing).toEqual([]);
  });
});
