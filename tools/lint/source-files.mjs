import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const notOurs = /(?:^|\/)(?:node_modules|dist|out|coverage|reports|results|\.\w[^/]*)(?:\/|$)/u;

/** The files of a folder with code in them, specs and what only tests import among them; paths from the folder on. */
export function sourceFiles(folder) {
  return globSync('**/*.{ts,tsx,mts,mjs,cjs,js}', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !notOurs.test(file))
    .toSorted();
}

export function isForTests(file) {
  return /\.(?:spec|testing)\.\w+$|(?:^|\/)(?:e2e|testing|fixtures)\//u.test(file);
}

/** What each file of a folder's product imports by a relative path, types too: pairs of paths from the folder on. */
export function importsWithin(folder) {
  return sourceFiles(folder)
    .filter((file) => !isForTests(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return ts
        .preProcessFile(text, true, true)
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => ({
          from: file,
          to: relative(folder, resolve(folder, dirname(file), fileName)).replaceAll('\\', '/'),
        }));
    });
}
