import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** A function or method with the example of its doc comment, if it has one. */
export interface Documented {
  /** Name such as `Users.resolve`. */
  readonly name: string;
  readonly example: string | undefined;
}

/** Methods that the client calls, not the program that uses the client. They need no example. */
const CALLED_BY_CLIENT = /^\w+Transport\.request$|^CircuitBreaker\.enter$|^FakeFailure/;
/** Declarations of names that the examples use without defining them. */
const AROUND = `
  const client: import('@caregate/api-client').HealthDataClient;
  const connection: import('@caregate/api-client').Connection;
  const transport: import('@caregate/api-client/node').NodeTransport;
  const axios: typeof import('axios').default;
  type Authorize = import('@caregate/api-client').Authorize;
  const baseUrl: string;
  const apiKey: string;
  const userId: string;
  const orderId: string;
  const recordId: string;
  const deskId: string;
  const actorId: string;
  const breakGlassId: string;
  const badge: string;
  const pin: string;
  const proof: string;
  const session: string;
  const idToken: string;
  const random: string;
  function signProof(method: string, url: string): Promise<string>;
`;

/** Returns the code blocks of a package's README. */
export async function readmeBlocks(folder: string): Promise<string[]> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, ...rest] = readme.split('\n```ts\n');
  return rest.map((text) => text.slice(0, text.indexOf('\n```')));
}

/** Returns every function and method that the entry points of an installed package export, with its example. */
export function documented(consumer: string, entries: readonly string[]): Documented[] {
  const { exportsOf, checker } = entryPoints(consumer, entries);
  const found = new Map<string, string | undefined>();
  const add = (name: string, symbol: ts.Symbol): void => {
    const tag = symbol.getJsDocTags(checker).find((each) => each.name === 'example');
    found.set(name, tag === undefined ? undefined : ts.displayPartsToString(tag.text));
  };
  for (const { name: exported, symbol } of entries.flatMap(exportsOf)) {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) continue;
    if (ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration)) {
      const type = checker.getTypeOfSymbol(symbol);
      if (type.getCallSignatures().length > 0) add(exported, symbol);
    }
    const isError = checker.getDeclaredTypeOfSymbol(symbol).getProperty('stack') !== undefined;
    const isOfCalls = ts.isClassDeclaration(declaration) || exported === 'ApiPromise';
    if (!isOfCalls || isError) continue;
    for (const [name, member] of symbol.members ?? []) {
      const memberDeclaration = member.declarations?.[0];
      const isMethod =
        memberDeclaration &&
        (ts.isMethodDeclaration(memberDeclaration) || ts.isMethodSignature(memberDeclaration));
      if (isMethod === true) add(`${exported}.${String(name)}`, member);
    }
  }
  return [...found]
    .filter(([name]) => !CALLED_BY_CLIENT.test(name))
    .map(([name, example]) => ({ name, example }));
}

/** Writes each example as a module of the consumer project. Returns the files that must compile. */
export async function writeExamples(
  consumer: string,
  entries: readonly string[],
  examples: readonly string[],
): Promise<string[]> {
  const { exportsOf } = entryPoints(consumer, entries);
  const exported = new Map(
    entries.flatMap((entry) =>
      exportsOf(entry)
        .filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Value)
        .map(({ name }) => [name, `const ${name}: typeof import('${entry}').${name};`] as const),
    ),
  );
  const around = [AROUND, ...exported.values()].join('\n');
  const files = ['hover.d.mts'];
  await writeFile(join(consumer, 'hover.d.mts'), `export {};\ndeclare global {\n${around}\n}\n`);
  for (const [place, code] of examples.entries()) {
    const file = `hover-${place + 1}.mts`;
    await writeFile(join(consumer, file), `${code}\nexport {};\n`);
    files.push(file);
  }
  return files;
}

function entryPoints(
  consumer: string,
  entries: readonly string[],
): {
  checker: ts.TypeChecker;
  exportsOf: (entry: string) => { name: string; symbol: ts.Symbol }[];
} {
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
  };
  const containing = join(consumer, 'program.mts');
  const files = entries.map((entry) => {
    const { resolvedModule } = ts.resolveModuleName(
      entry,
      containing,
      options,
      ts.sys,
      undefined,
      undefined,
      ts.ModuleKind.ESNext,
    );
    return resolvedModule?.resolvedFileName ?? '';
  });
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return {
    checker,
    exportsOf: (entry) => {
      const source = program.getSourceFile(files[entries.indexOf(entry)] ?? '');
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${entry} has no types`);
      return checker.getExportsOfModule(module).map((each) => ({
        name: each.name,
        symbol: each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each,
      }));
    },
  };
}
