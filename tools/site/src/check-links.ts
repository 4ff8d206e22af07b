import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';

const ADDRESSES = ['href', 'src', 'srcset', 'poster', 'data', 'action', 'xlink:href'];
/** Elements with links; others load their URL with the page. */
const FOLLOWED = ['a', 'area', 'form'];

interface Link {
  readonly element: string;
  readonly to: string;
}
interface Page {
  readonly ids: ReadonlySet<string>;
  readonly links: readonly Link[];
}

export interface Checked {
  readonly pages: number;
  readonly links: number;
  readonly findings: readonly string[];
}

/** Links to other hosts are not requested; content written by scripts is not seen. */
export function checkLinks(folder: string): Checked {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)));
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const pages = new Map(
    files.filter((file) => file.endsWith('.html')).map((file) => [file, pageOf(read(file))]),
  );
  const known = new Set(files);
  const ofPages = [...pages].flatMap(([file, { links }]) =>
    links.flatMap((link) => {
      const reason = reasonAgainst(file, link, pages, known);
      return reason === undefined ? [] : [`${file}: ${link.to}: ${reason}`];
    }),
  );
  const ofSheets = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) =>
      addressesInStyles(read(file)).flatMap((to) => {
        const reason = reasonAgainst(file, { element: 'css', to }, pages, known);
        return reason === undefined ? [] : [`${file}: ${to}: ${reason}`];
      }),
    );
  return {
    pages: pages.size,
    links: [...pages.values()].reduce((sum, { links }) => sum + links.length, 0),
    findings: [...new Set([...ofPages, ...ofSheets])],
  };
}

function reasonAgainst(
  file: string,
  { element, to }: Link,
  pages: ReadonlyMap<string, Page>,
  known: ReadonlySet<string>,
): string | undefined {
  if (/^data:/iu.test(to)) return undefined;
  if (/^(?:[a-z][\w+.-]*:|\/\/)/iu.test(to)) {
    if (!FOLLOWED.includes(element)) return 'loaded from another host';
    return /^(?:https?|mailto):/iu.test(to) ? undefined : 'no address that a browser follows';
  }
  if (to.startsWith('/')) return 'from the root of a host';
  const [address = '', anchor = ''] = to.split('#');
  const path = decoded(address.replace(/\?.*$/u, ''));
  const anchored = decoded(anchor);
  if (path === undefined || anchored === undefined) return 'not percent-encoded UTF-8';
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  const found = path.endsWith('/') || target === '.' ? posix.join(target, 'index.html') : target;
  if (!known.has(found)) return 'no such file';
  const page = pages.get(found);
  return anchored === '' || page === undefined || page.ids.has(anchored)
    ? undefined
    : 'no such anchor';
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function pageOf(html: string): Page {
  const ids = new Set<string>();
  const links: Link[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) {
      for (const { name, prefix, value } of node.attrs) {
        const attribute = prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
        if (attribute === 'id' || (attribute === 'name' && node.tagName === 'a')) ids.add(value);
        if (!ADDRESSES.includes(attribute)) continue;
        const addresses =
          attribute === 'srcset'
            ? value.split(',').map((each) => each.trim().split(/\s/u, 1)[0] ?? '')
            : [value.trim()];
        links.push(...addresses.map((to) => ({ element: node.tagName, to })));
      }
      const style = node.attrs.find(({ name }) => name === 'style')?.value ?? '';
      links.push(...addressesInStyles(style).map((to) => ({ element: 'css', to })));
    }
    if ('value' in node && node.parentNode?.nodeName === 'style') {
      links.push(...addressesInStyles(node.value).map((to) => ({ element: 'css', to })));
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
    if ('content' in node) walk(node.content);
  };
  walk(parse(html));
  return { ids, links };
}

function addressesInStyles(css: string): string[] {
  const imported = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)|url\(\s*["']?([^"')]+)["']?\s*\)/giu;
  return [...css.matchAll(imported)].map(([, first, second]) => (first ?? second ?? '').trim());
}
