import { AuditLogError } from '../errors.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { cosignedAt as cosignedAtOf } from '../note/cosignature.ts';
import { parseCosignerKey, type CosignerKey } from '../note/cosigner-key.ts';
import { formatNote, parseNote, type SignedNote } from '../note/signed-note.ts';

interface PolicyLog {
  readonly key: VerifierKey;
  readonly url: string | undefined;
}

export interface PolicyWitness {
  /** Its name in the policy file, which may differ from its key's. */
  readonly name: string;
  readonly key: CosignerKey;
  readonly url: string | undefined;
}

/** `least` of the members must cosign; `quorum none` is 0 of none. */
interface Group {
  readonly least: number;
  readonly members: readonly (Group | PolicyWitness)[];
}

/** Known logs and witnesses, and the required cosignatures (C2SP tlog-policy). */
export class Policy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  readonly #quorum: Group;

  constructor(logs: readonly PolicyLog[], witnesses: readonly PolicyWitness[], quorum: Group) {
    this.witnesses = witnesses;
    this.logs = logs;
    this.#quorum = quorum;
  }

  /** @throws AuditLogError with the number of the line */
  static parse(file: Uint8Array): Policy {
    const parser = new PolicyParser();
    // Octets with the high bit are opaque.
    const lines = Buffer.from(file).toString('latin1').split('\n');
    lines.forEach((line, at) => {
      try {
        parser.line(line);
      } catch (error) {
        if (error instanceof AuditLogError) {
          throw new AuditLogError(`line ${String(at + 1)}: ${error.message}`);
        }
        throw error;
      }
    });
    return parser.policy();
  }

  /** A policy without logs takes any log. @throws BadCheckpointError if a signature of a witness is invalid */
  isMetBy(note: SignedNote): boolean {
    const isOfLog =
      this.logs.length === 0 ||
      this.logs.some(({ key }) => key.tryOpen(formatNote(note)) !== undefined);
    const by = this.witnesses.filter(({ key }) => cosignedAtOf(note, key) !== undefined);
    return isOfLog && isMet(this.#quorum, new Set(by));
  }

  /** @throws BadCheckpointError if it is no note, or a signature of a witness is invalid */
  stateOf(text: string): {
    readonly isMet: boolean;
    /** Seconds since 1970 by name, of each that cosigned it. */
    readonly cosignedAt: ReadonlyMap<string, number>;
  } {
    const note = parseNote(text);
    const cosignedAt = new Map(
      this.witnesses.flatMap(({ name, key }) => {
        const seconds = cosignedAtOf(note, key);
        return seconds === undefined ? [] : [[name, seconds] as const];
      }),
    );
    return { isMet: this.isMetBy(note), cosignedAt };
  }
}

function isMet(group: Group, by: ReadonlySet<PolicyWitness>): boolean {
  const met = group.members.filter((member) =>
    'members' in member ? isMet(member, by) : by.has(member),
  );
  return met.length >= group.least;
}

class PolicyParser {
  readonly #logs: PolicyLog[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #defined = new Map<string, Group | PolicyWitness>();
  readonly #members = new Set<string>();
  #quorum: Group | undefined;

  line(line: string): void {
    if (/[^\t -~\u0080-\u00ff]/u.test(line)) {
      throw new AuditLogError(
        'control characters are not allowed (a carriage return, perhaps: lines end with a newline alone)',
      );
    }
    const [keyword = '', ...items] = line.split(/[ \t]+/u).filter((item) => item !== '');
    if (keyword === '' || keyword.startsWith('#')) {
      return;
    }
    const read = {
      log: (words: string[]) => {
        this.#log(words);
      },
      witness: (words: string[]) => {
        this.#witness(words);
      },
      group: (words: string[]) => {
        this.#group(words);
      },
      quorum: (words: string[]) => {
        this.#setQuorum(words);
      },
    };
    if (!Object.hasOwn(read, keyword)) {
      throw new AuditLogError(
        `unknown keyword "${keyword}": expected log, witness, group or quorum`,
      );
    }
    read[keyword as keyof typeof read](items);
  }

  policy(): Policy {
    if (this.#quorum === undefined) {
      throw new AuditLogError('the file has no quorum line');
    }
    return new Policy(this.#logs, this.#witnesses, this.#quorum);
  }

  #log(items: readonly string[]): void {
    const [vkey, url] = expectItems(items, 1, 2, 'log <vkey> [<url>]');
    const key = VerifierKey.parse(utf8(vkey as string));
    if (this.#logs.some((other) => other.key.bytes.equals(key.bytes))) {
      throw new AuditLogError('this log was listed before, with the same public key');
    }
    this.#logs.push({ key, url: address(url) });
  }

  #witness(items: readonly string[]): void {
    const [name, vkey, url] = expectItems(items, 2, 3, 'witness <name> <vkey> [<url>]');
    const key = parseCosignerKey(utf8(vkey as string));
    if (this.#witnesses.some((other) => other.key.bytes.equals(key.bytes))) {
      throw new AuditLogError('this witness was listed before, with the same public key');
    }
    const witness = { name: utf8(name as string), key, url: address(url) };
    this.#define(name as string, witness);
    this.#witnesses.push(witness);
  }

  #group(items: readonly string[]): void {
    const [name, threshold, ...names] = expectItems(
      items,
      3,
      Infinity,
      'group <name> all|any|<k> <name>...',
    );
    const least = { all: names.length, any: 1 }[threshold as string] ?? Number(threshold);
    if (!/^(?:all|any|[1-9]\d{0,8})$/u.test(threshold as string) || least > names.length) {
      throw new AuditLogError(
        `"${threshold as string}" must be all, any, or a number from 1 to ${String(names.length)}, the number of members`,
      );
    }
    const members = names.map((member) => this.#member(member));
    this.#define(name as string, { least, members });
  }

  #member(name: string): Group | PolicyWitness {
    const member = this.#known(name);
    if (this.#members.has(name)) {
      throw new AuditLogError(`"${utf8(name)}" is a member of a group already`);
    }
    this.#members.add(name);
    return member;
  }

  #setQuorum(items: readonly string[]): void {
    const [name] = expectItems(items, 1, 1, 'quorum <name>');
    if (this.#quorum !== undefined) {
      throw new AuditLogError('a second quorum line');
    }
    this.#quorum =
      name === 'none'
        ? { least: 0, members: [] }
        : { least: 1, members: [this.#known(name as string)] };
  }

  #known(name: string): Group | PolicyWitness {
    const known = this.#defined.get(name);
    if (known === undefined) {
      throw new AuditLogError(`no line before this one defines "${utf8(name)}"`);
    }
    return known;
  }

  #define(name: string, what: Group | PolicyWitness): void {
    if (name === 'none' || this.#defined.has(name)) {
      throw new AuditLogError(`the name "${utf8(name)}" is taken`);
    }
    this.#defined.set(name, what);
  }
}

function expectItems(
  items: readonly string[],
  least: number,
  most: number,
  form: string,
): readonly string[] {
  if (items.length < least || items.length > most) {
    throw new AuditLogError(`expected: ${form}`);
  }
  return items;
}

function address(item: string | undefined): string | undefined {
  if (item === undefined) {
    return undefined;
  }
  const url = URL.canParse(utf8(item)) ? new URL(utf8(item)) : null;
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  ) {
    throw new AuditLogError(
      `"${utf8(item)}" is not a usable address: expected http:// or https://, without user, query or fragment`,
    );
  }
  return url.href.replace(/\/+$/u, '');
}

function utf8(octets: string): string {
  return Buffer.from(octets, 'latin1').toString('utf8');
}
