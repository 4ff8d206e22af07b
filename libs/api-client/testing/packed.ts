import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const modules = join(root, 'node_modules');
/** Packages that the libraries and their types depend on. */
const INSTALLED = ['@types', 'axios', 'class-transformer', 'class-validator', 'reflect-metadata'];
/** Files of the workspace root that the packages' build scripts need. */
const OF_WORKSPACE = ['CHANGELOG.md', 'LICENSE', 'tsconfig.base.json'];

export interface Packed {
  /** A project with both libraries unpacked in its node_modules, and nothing else of this workspace. */
  readonly consumer: string;
  /** The tarball of each library, by the name of its folder. */
  readonly tarballs: Readonly<Record<string, string>>;
}

/**
 * Builds and packs the libraries as they are published, and unpacks them in a project.
 *
 * @param folder an empty folder outside of the checkout
 */
export async function packed(folder: string): Promise<Packed> {
  const consumer = join(folder, 'consumer');
  for (const path of OF_WORKSPACE) await cp(join(root, path), join(folder, path));
  for (const parent of [folder, consumer]) {
    await mkdir(join(parent, 'node_modules', '@caregate'), { recursive: true });
    for (const name of INSTALLED) {
      await symlink(join(modules, name), join(parent, 'node_modules', name));
    }
  }
  const tarballs: Record<string, string> = {};
  for (const name of ['domain', 'api-client']) {
    const copy = join(folder, 'libs', name);
    await cp(join(root, 'libs', name), copy, {
      recursive: true,
      filter: (path) => !/[\\/](dist|node_modules)$/.test(path),
    });
    await typescript(copy, '-p', 'tsconfig.build.json');
    await typescript(copy, '-p', 'tsconfig.cjs.json');
    await run(process.execPath, ['../domain/packaging/mark-commonjs.mjs'], { cwd: copy });
    await symlink(copy, join(folder, 'node_modules', '@caregate', name));
    tarballs[name] = await pack(copy, join(consumer, 'node_modules', '@caregate', name));
  }
  await writeFile(join(consumer, 'package.json'), '{ "private": true }');
  return { consumer, tarballs };
}

/** Runs the TypeScript compiler. Rejects with its output if it fails. */
export async function typescript(cwd: string, ...args: string[]): Promise<void> {
  await tool(cwd, '@typescript/native/bin/tsc', ...args);
}

/** Runs a program from this workspace's node_modules, or from another folder. Rejects with its output if it fails. */
export async function tool(cwd: string, file: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [resolve(modules, file), ...args], { cwd });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${file} failed: ${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
}

async function pack(copy: string, into: string): Promise<string> {
  await run('npm', ['pack', '--silent'], { cwd: copy });
  const name = (await readdir(copy)).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm packed nothing');
  await mkdir(into);
  await run('tar', ['-xzf', name, '-C', into, '--strip-components=1'], { cwd: copy });
  return join(copy, name);
}
