import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { isForTests, sourceFiles } from './source-files.mjs';
import { packageJson, packagesOfWorkspace } from './packages.mjs';

const FEWEST_LINES = 25;

/** What may be short, and why: by name, by what stands in the file, or by what names it. */
const KINDS = [
  ['index: re-exports alone', ({ text }) => isIndex(text)],
  ['entry point: what a package.json names, in its exports or a script', ({ named }) => named],
  [
    'entry of a process: Node, a worker, a page or a tool starts there',
    ({ file }) =>
      /(?:^|\/)main\.\w+$|\.(?:worker|main|config)\.\w+$|-server\.ts$|(?:^|\/)jest[\w.-]*\.js$/u.test(
        file,
      ),
  ],
  ['declarations of a module that is not ours', ({ file }) => /\.d\.m?ts$/u.test(file)],
  ['token or decorator', ({ file }) => /\.(?:decorator|token)\.ts$/u.test(file)],
  [
    'unit that is loaded by itself: a module or controller of Nest, a command',
    ({ file }) => /\.(?:module|controller|command)\.ts$/u.test(file),
  ],
  [
    'contract: types alone, which belong to neither of their sides',
    ({ text }) => isTypesAlone(text),
  ],
  ['error class: told apart by those who catch it', ({ file }) => /-error\.ts$/u.test(file)],
  ['generated', ({ file }) => /(?:^|\/)generated\//u.test(file)],
];

/** What no kind covers, by its path in the workspace. */
const REASONS = {
  'apps/desktop/src/main/service/system-fetch.ts':
    "the one place that reads Electron's words: they carry the only code there is",
  'apps/desktop/src/renderer/components/initials.ts': 'a rule with its own tests',
  'apps/service/src/access/break-glass/grant-json.ts': 'what HTTP and the command line both show',
  'apps/service/src/audit/http/event-cursors.ts': 'token: a class of its own for its own key',
  'apps/service/src/config/version.ts':
    'read by --version, which loads nothing else, by a start and by the metrics',
  'apps/service/src/cli/start/open-source.ts':
    'beside open-access and open-audit, each opened alone',
  'apps/service/src/operations/public-routes.ts': 'table of the routes without a key',
  'apps/service/src/operations/route-of-request.ts': 'what metrics, log and audit call a request',
  'apps/service/src/reads/public-sdk/repeated-fields.ts':
    'table that bodies and schemas are both made from',
  'apps/service/src/audit/offline/copy-folder-log.ts':
    'what a backup asks of the log, which the database room may not know',
  'apps/service/src/audit/postgres/audit-schema.ts':
    "runs the library's statements as the service's migrations",
  'libs/audit-log/src/disk/sqlite-code.ts': 'what the lock and the index both ask of an error',
  'libs/audit-log/src/entry/packed-uuids.ts': 'a format with its own property tests',
  'libs/audit-log/src/folder/checkpoint-file.ts': 'what the writer, a renewal and a start all read',
  'libs/audit-log/src/writer/clock-watch.ts': 'a rule with its own clock and tests',
  'libs/audit-log/src/writer/failure.ts': 'an error over the border of a thread: both sides of it',
  'libs/api-client/src/shape.ts': 'what an answer is checked for without its validator',
  'apps/service/src/access/access-events.ts': 'token: the emitter of alarms and their types',
  'apps/service/src/source/store/people/fill-progress.ts':
    'what the filling of either engine tells',
  'apps/service/src/database/error-code.ts': 'what both engines and readers of files need',
  'apps/service/src/http/json-answer.ts': 'what every route and the recording of its answer share',
  'apps/service/src/observe/draining.ts': 'token: begun by the command line, read by /readyz',
  'libs/api-client/src/helpers/to-array.ts':
    'of an entry of its own, in no bundle that does not ask for it',
  'libs/api-client/src/transport/user-agent.ts': 'written by a release',
  'libs/api-client/src/client.ts':
    'the class that programs make; its resources need what it is connected with, so that cannot be here',
  'libs/sample-data/src/edge-cases/envelopes.ts': 'puts the four parts of a set together',
  'libs/testing/fault-proxy/src/localhost-certificate.ts': 'a certificate and its key',
  'tools/bench/src/desktop/shell/page.ts': 'the page of a bare window',
  'tools/faults/src/sync-mode.ts': 'preloaded into another process',
};

/** The short files of a package's product and the kind or reason of each; undefined for one without. */
export function shortFiles(folder, at) {
  const own = packageJson(folder);
  const scripts = packagesOfWorkspace().map((each) => each.own.scripts);
  const named = JSON.stringify([own.exports, own.bin, own.main, scripts]);
  return sourceFiles(folder)
    .filter((file) => !isForTests(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      if (text.trimEnd().split('\n').length >= FEWEST_LINES) return [];
      const facts = { file, text, named: named.includes(file) };
      const [kind] = KINDS.find(([, covers]) => covers(facts)) ?? [];
      return [{ file, reason: kind ?? REASONS[`${at}/${file}`] }];
    });
}

function statementsOf(text) {
  return ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest).statements;
}

function isIndex(text) {
  return statementsOf(text).every((each) => ts.isExportDeclaration(each) && each.moduleSpecifier);
}

function isTypesAlone(text) {
  return statementsOf(text).every(
    (each) =>
      ts.isInterfaceDeclaration(each) ||
      ts.isTypeAliasDeclaration(each) ||
      (ts.isImportDeclaration(each) && each.importClause?.isTypeOnly === true),
  );
}
