import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const source = fileURLToPath(new URL('../src', import.meta.url));

interface DtoProperty {
  readonly name: string;
  readonly optional: boolean;
  /** Source text of the type. */
  readonly type: string;
  readonly comment: Comment;
}

export interface DtoClassText {
  readonly name: string;
  readonly comment: Comment;
  /** In source order, inherited ones first. */
  readonly properties: readonly DtoProperty[];
}

interface Comment {
  readonly raw: string;
  /** On one line, without tags. */
  readonly text: string;
  readonly deprecated: boolean;
}

/** The files with DTO classes, relative to `src`. */
export function dtoFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.dto.ts'))
    .toSorted();
}

/** Types and comments from the source, which metadata lacks. */
export function dtoClasses(): ReadonlyMap<string, DtoClassText> {
  const classes = new Map<string, DtoClassText>();
  for (const file of dtoFiles()) {
    readClasses(join(source, file), classes);
  }
  return classes;
}

function readClasses(file: string, classes: Map<string, DtoClassText>): void {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const node of tree.statements) {
    if (!ts.isClassDeclaration(node) || node.name === undefined) {
      continue;
    }
    const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText(tree) ?? '';
    const own = node.members.filter(ts.isPropertyDeclaration).map((member) => ({
      name: member.name.getText(tree),
      optional: member.questionToken !== undefined,
      type: member.type?.getText(tree) ?? 'unknown',
      comment: commentOf(member),
    }));
    classes.set(node.name.text, {
      name: node.name.text,
      comment: commentOf(node),
      properties: [...(classes.get(parent)?.properties ?? []), ...own],
    });
  }
}

function commentOf(node: ts.Node): Comment {
  const blocks = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = blocks
    .map((block) => ts.getTextOfJSDocComment(block.comment) ?? '')
    .join(' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const raw = blocks.map((block) => block.getText()).join('\n');
  return { raw, text, deprecated: ts.getJSDocDeprecatedTag(node) !== undefined };
}
