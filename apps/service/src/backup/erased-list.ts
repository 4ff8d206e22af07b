import { writeDurably } from '../files/write-durably.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { parseUuid } from '@caregate/data-store';

export const ERASED_LIST = 'erased-people.ndjson';

export interface ErasedPerson {
  readonly team_id: string;
  readonly user_id: string;
  readonly proposal_id: string;
}

/**
 * Lists the people who must be erased again after a restore. Also reads the checkpoint folder, which no restore
 * replaces. @throws OperatorError
 */
export async function readErased(folders: readonly string[]): Promise<ErasedPerson[]> {
  const lists = await Promise.all(getListFiles(folders).map(readList));
  const people = lists.flat().map((line) => [identifyPerson(line), line] as const);
  return [...new Map(people).values()];
}

export async function addErased(
  folders: readonly string[],
  people: readonly ErasedPerson[],
): Promise<void> {
  for (const file of getListFiles(folders)) {
    const listed = await readList(file);
    const has = new Set(listed.map(identifyPerson));
    const added = people.filter((person) => !has.has(identifyPerson(person)));
    if (added.length > 0) {
      const lines = [...listed, ...added].map((line) => `${JSON.stringify(line)}\n`);
      await writeDurably(file, lines.join(''));
    }
  }
}

/** Different teams may have the same user ID. */
function identifyPerson({ team_id: team, user_id: user }: ErasedPerson): string {
  return `${team} ${user}`;
}

function getListFiles(folders: readonly string[]): string[] {
  return folders.filter((folder) => folder !== '').map((folder) => join(folder, ERASED_LIST));
}

async function readList(file: string): Promise<ErasedPerson[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, at) => parseErased(line, `${file}:${at + 1}`));
}

/** @throws OperatorError if the line is unreadable, since its person might be served again */
function parseErased(line: string, place: string): ErasedPerson {
  try {
    const { team_id, user_id, proposal_id } = JSON.parse(line) as ErasedPerson;
    if ([team_id, user_id].every((id) => parseUuid(id) !== undefined)) {
      return { team_id, user_id, proposal_id };
    }
  } catch {
    // The error below explains it.
  }
  throw new OperatorError(`${place}: not a line of a list of erased people. Put the list back.`);
}
