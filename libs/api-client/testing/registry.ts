import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The package.json of a package. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dist?: object;
}

/** What npm asks for to install a version. */
interface Packument {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, Manifest>>;
}

/** What npm sends to publish one. */
interface Publication extends Packument {
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

export interface Registry {
  readonly url: string;
  /** Lines of `.npmrc` for a project, or for whoever publishes. */
  readonly npmrc: string;
  /** Every request, such as `GET /@caregate%2fdomain`. */
  readonly asked: readonly string[];
  /** Has the package in a folder, too, as if it had been published. */
  offer(folder: string, manifest: Manifest): void;
  stop(): Promise<void>;
}

/**
 * A registry of packages that keeps what npm publishes to it and gives it to npm again: of the protocol what those two
 * need. Anything else is not found there, so that an install has nothing from elsewhere.
 */
export async function startRegistry(): Promise<Registry> {
  const packages = new Map<string, Packument>();
  const tarballs = new Map<string, () => Buffer | Promise<Buffer>>();
  const asked: string[] = [];

  async function answer(
    request: IncomingMessage,
  ): Promise<[status: number, body: object | Buffer]> {
    const path = decodeURIComponent(request.url ?? '/');
    const name = path.slice(1);
    if (request.method === 'PUT') {
      const sent = (await json(request)) as Publication;
      const known = packages.get(name)?.versions ?? {};
      // As everywhere: what is published never changes.
      if (Object.keys(sent.versions).some((version) => version in known)) return [409, {}];
      for (const [file, { data }] of Object.entries(sent._attachments)) {
        tarballs.set(`/${name}/-/${file}`, () => Buffer.from(data, 'base64'));
      }
      packages.set(name, { ...sent, versions: { ...known, ...sent.versions } });
      return [201, { ok: true }];
    }
    const found = (await tarballs.get(path)?.()) ?? withAddresses(packages.get(name));
    return found === undefined ? [404, { error: 'not found' }] : [200, found];
  }

  const withAddresses = (packument: Packument | undefined): object | undefined => {
    if (packument === undefined) return undefined;
    const { name, versions, 'dist-tags': tags } = packument;
    const addressed = Object.entries(versions).map(([version, { dist, ...rest }]) => {
      const tarball = `${url}/${name}/-/${name}-${version}.tgz`;
      return [version, { ...rest, dist: { ...dist, tarball } }];
    });
    return { name, 'dist-tags': tags, versions: Object.fromEntries(addressed) as object };
  };

  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request).then(
      ([status, body]) => {
        const isTarball = Buffer.isBuffer(body);
        const type = isTarball ? 'application/octet-stream' : 'application/json';
        response.writeHead(status, { 'content-type': type });
        response.end(isTarball ? body : JSON.stringify(body));
      },
      () => response.writeHead(400).end('{}'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    // npm publishes nowhere without a token, whatever the registry asks for.
    npmrc: `registry=${url}/\n//127.0.0.1:${port}/:_authToken=anybody\n`,
    asked,
    offer: (folder, manifest) => {
      const { name, version } = manifest;
      const versions = { ...packages.get(name)?.versions, [version]: manifest };
      packages.set(name, { name, 'dist-tags': { latest: version }, versions });
      tarballs.set(`/${name}/-/${name}-${version}.tgz`, () => tar(folder));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Not compressed; npm takes the one folder in it for the package, whatever its name. */
async function tar(folder: string): Promise<Buffer> {
  const within = ['-C', dirname(folder), '--exclude', 'node_modules', basename(folder)];
  const whole = { encoding: 'buffer', maxBuffer: Infinity } as const;
  return (await run('tar', ['-cf', '-', ...within], whole)).stdout;
}
