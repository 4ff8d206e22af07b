import { CursorSeal } from '../crypto/cursor-seal.ts';
import { AccessDatabase, type AccessOptions } from './access-database.ts';
import { DeskRepository } from './repositories/desk.repository.ts';
import { GrantRepository } from './repositories/grant.repository.ts';
import { KeyRepository } from './repositories/key.repository.ts';
import { NameRepository } from './repositories/name.repository.ts';
import { PinRepository } from './repositories/pin.repository.ts';
import { SecretRepository } from './repositories/secret.repository.ts';
import { SessionRepository } from './repositories/session.repository.ts';
import { StaffRepository } from './repositories/staff.repository.ts';
import { TeamRepository } from './repositories/team.repository.ts';

/** The repositories on one database, which is opened before the application so that a start can be refused. */
export class AccessStore {
  readonly secrets: SecretRepository;
  /** Shared by all kinds of cursors, each of which is bound to its own values. */
  readonly cursorSeal: CursorSeal;
  readonly teams: TeamRepository;
  readonly keys: KeyRepository;
  readonly staff: StaffRepository;
  readonly desks: DeskRepository;
  readonly sessions: SessionRepository;
  readonly pins: PinRepository;
  readonly breakGlass: GrantRepository;
  readonly names: NameRepository;
  readonly database: AccessDatabase;

  constructor(database: AccessDatabase) {
    this.database = database;
    this.secrets = new SecretRepository(database);
    this.cursorSeal = new CursorSeal(() => this.secrets.listCursorSecrets(), database.now);
    this.teams = new TeamRepository(database);
    this.keys = new KeyRepository(database);
    this.staff = new StaffRepository(database);
    this.desks = new DeskRepository(database);
    this.sessions = new SessionRepository(database);
    this.pins = new PinRepository(database);
    this.breakGlass = new GrantRepository(database);
    this.names = new NameRepository(database);
  }

  static async open(dataFolder: string, options?: AccessOptions): Promise<AccessStore> {
    return new AccessStore(await AccessDatabase.openSqlite(dataFolder, options));
  }

  static async openPostgres(url: string, options?: AccessOptions): Promise<AccessStore> {
    return new AccessStore(await AccessDatabase.openPostgres(url, options));
  }

  async checkReady(): Promise<void> {
    await this.database.checkReady();
  }

  async close(): Promise<void> {
    await this.keys.writeLastUses();
    await this.database.close();
  }
}
