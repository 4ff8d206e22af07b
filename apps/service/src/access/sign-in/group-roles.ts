import type { JWTPayload } from 'jose';
import { OperatorError } from '../../config/operator-error.ts';
import type { Role } from '../../operations/roles.ts';
import { checkPersonRole, RuleError } from '../rules.ts';

export class GroupRoles {
  readonly #claim: string;
  readonly #roles: ReadonlyMap<string, Role>;

  private constructor(claim: string, roles: ReadonlyMap<string, Role>) {
    this.#claim = claim;
    this.#roles = roles;
  }

  /** Reads `groups: Reception=front_desk, Physicians=clinician`. @throws OperatorError */
  static parse(text: string): GroupRoles {
    if (text.trim() === '') {
      return new GroupRoles('', new Map());
    }
    const colon = text.search(/:\s/u);
    const [claim, mapping] = [text.slice(0, Math.max(0, colon)).trim(), text.slice(colon + 1)];
    if (!/^[\w.:/-]+$/u.test(claim)) {
      throw problem('must have the form "claim: group=role, group=role"');
    }
    const roles = new Map<string, Role>();
    for (const entry of mapping.split(',')) {
      const at = entry.lastIndexOf('=');
      const group = entry.slice(0, at).trim();
      if (at === -1 || group === '' || roles.has(group)) {
        throw problem('must name each group once, as group=role');
      }
      try {
        roles.set(group, checkPersonRole(entry.slice(at + 1).trim()));
      } catch (error) {
        throw error instanceof RuleError ? problem(error.message) : error;
      }
    }
    return new GroupRoles(claim, roles);
  }

  /** Of the first mapped group; undefined: the person's own role. */
  roleOf(claims: JWTPayload): Role | undefined {
    const named = [claims[this.#claim]].flat();
    for (const [group, role] of this.#roles) {
      if (named.includes(group)) {
        return role;
      }
    }
    return undefined;
  }
}

function problem(what: string): OperatorError {
  return new OperatorError(`CAREGATE_OIDC_GROUPS: ${what}`, 2);
}
