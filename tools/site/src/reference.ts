import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  Converter,
  type DocumentReflection,
  KindRouter,
  PageEvent,
  type Reflection,
  TSConfigReader,
  type TypeDocOptions,
} from 'typedoc';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const firstPage = 'tools/site/pages/index.md';
/** Path of each document in the repository, without extension. */
const places = new WeakMap<Reflection, string>();

/** Pages of documents stand where the documents stand in the repository; those written for the site, at its top. */
class RepositoryRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    const place = places.get(reflection);
    return place?.replace(/^tools\/site\/pages\//u, '') ?? super.getIdealBaseName(reflection);
  }
}

/** TypeDoc's warnings are errors. In documents, `site:x/y.html` is a file of the site that others write. */
export async function writeReference(folder: string): Promise<void> {
  const entries = entryPoints();
  const app = await Application.bootstrapWithPlugins(options([...entries.keys()]), [
    new TSConfigReader(),
  ]);
  app.renderer.defineRouter('repository', RepositoryRouter);
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document: DocumentReflection) => {
    place(document);
  });
  app.renderer.on(PageEvent.END, (page: PageEvent) => {
    const top = '../'.repeat(page.url.split('/').length - 1);
    page.contents = (page.contents ?? '').replaceAll('href="site:', `href="${top}`);
  });
  const points = app.getEntryPoints()?.map((point) => ({
    ...point,
    displayName: entries.get(point.sourceFile.fileName) ?? point.displayName,
  }));
  const project = app.converter.convert(points ?? []);
  app.validate(project);
  await withoutClock(() => app.generateDocs(project, folder));
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('TypeDoc has the warnings above. Each is an error here.');
  }
}

/** Stops the clock: on a busy machine the highlighter would give up after half a second and leave a line plain. */
async function withoutClock(work: () => Promise<void>): Promise<void> {
  const { now } = Date;
  const at = now();
  Date.now = () => at;
  try {
    await work();
  } finally {
    Date.now = now;
  }
}

function options(entryPoints: string[]): TypeDocOptions {
  return {
    name: 'Caregate',
    plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-missing-exports'))],
    entryPoints,
    tsconfig: join(root, 'tools/site/tsconfig.reference.json'),
    readme: join(root, firstPage),
    projectDocuments: documents(),
    excludeExternals: true,
    router: 'repository',
    // Reproducible.
    disableSources: true,
    hideGenerator: true,
    lang: 'en',
    customCss: join(root, 'tools/site/src/site.css'),
    headings: { readme: false, document: false },
    groupOrder: ['Begin here', 'Documents', 'Modules', 'Rooms'],
    navigation: { includeGroups: true, includeFolders: true },
    navigationLinks: { 'REST interface': 'site:service/docs.html' },
    searchInDocuments: true,
    highlightLanguages: [
      'bash',
      'ini',
      'json',
      'jsonc',
      'powershell',
      'sql',
      'ts',
      'xml',
      'yaml',
      'js',
    ],
    // Warn instead of linking to something else.
    validation: { rewrittenLink: true },
    logLevel: 'Warn',
    // What the missing-exports plugin adds: types that are referred to and not exported stand in the module that does.
    ...{ placeInternalsInOwningModule: true },
  };
}

function documents(): string[] {
  const notOurs = /(?:^|\/)(?:node_modules|dist|out|reports|\..*)$/u;
  return globSync('**/*.md', { cwd: root, exclude: (path) => notOurs.test(path) })
    .filter((path) => path !== firstPage)
    .toSorted()
    .map((path) => join(root, path));
}

function entryPoints(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of globSync('libs/*/package.json', { cwd: root }).toSorted()) {
    const own = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      readonly name: string;
      readonly private?: boolean;
      readonly exports: Readonly<Record<string, Readonly<Record<string, unknown>> | string>>;
    };
    for (const [path, conditions] of Object.entries(own.private === true ? {} : own.exports)) {
      // Entries without a build are for this workspace's tests.
      const [source, ...published] =
        typeof conditions === 'string' ? [] : Object.values(conditions);
      if (typeof source !== 'string' || published.length === 0) continue;
      found.set(posix.join(root, dirname(file), source), posix.join(own.name, path));
    }
  }
  return found;
}

/** Documents are called by their headings and stand in three groups; READMEs of rooms keep their folder's name. */
function place(document: DocumentReflection): void {
  const path = document.name;
  places.set(document, path);
  const [first] = document.content;
  const heading = /^# (?<title>.+)$/mu.exec(first?.text ?? '')?.groups?.['title'];
  const isRoom = /^(?:apps|libs|ops|tools)\/(?!site\/pages\/)/u.test(path);
  document.name = isRoom ? path.replace(/\/README$/u, '') : (heading ?? path);
  document.frontmatter['group'] = isRoom
    ? 'Rooms'
    : path.startsWith('tools/site/pages/')
      ? 'Begin here'
      : 'Documents';
}
