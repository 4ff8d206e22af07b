import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const source = join(import.meta.dirname, '../src');

/** The files with DTO classes, relative to src. */
export const DTO_FILES: readonly string[] = globSync('**/*.dto.ts', { cwd: source }).toSorted();

export interface Comment {
  /** The comment as it is in the source, with its delimiters. */
  readonly raw: string;
  readonly description: string;
  readonly isDeprecated: boolean;
}

/** What the generator needs from the source of a DTO class beside its decorators: comments and TypeScript types. */
export interface ClassSource {
  readonly comment: Comment;
  readonly parent: string | undefined;
  readonly isExported: boolean;
  readonly properties: Readonly<Record<string, { type: string; comment: Comment }>>;
}

/** Reads the DTO classes by name. The type of a property includes its `?` and the colon. */
export function readClasses(): ReadonlyMap<string, ClassSource> {
  const classes = new Map<string, ClassSource>();
  for (const file of DTO_FILES) {
    const text = readFileSync(join(source, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const node of tree.statements.filter(ts.isClassDeclaration)) {
      const fields = node.members
        .filter(ts.isPropertyDeclaration)
        .filter((member) => !isStatic(member));
      const properties = fields.map((member) => [
        member.name.getText(),
        {
          type: `${member.questionToken?.getText() ?? ''}: ${member.type?.getText() ?? 'unknown'}`,
          comment: readComment(member),
        },
      ]);
      classes.set(node.name?.text ?? '', {
        comment: readComment(node),
        parent: node.heritageClauses?.[0]?.types[0]?.expression.getText(),
        isExported:
          node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true,
        properties: Object.fromEntries(properties) as ClassSource['properties'],
      });
    }
  }
  return classes;
}

function isStatic(member: ts.PropertyDeclaration): boolean {
  return member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true;
}

function readComment(node: ts.Node): Comment {
  const blocks = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = blocks.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join(' ');
  return {
    raw: blocks.map((block) => block.getText()).join('\n'),
    description: text.replace(/\s+/gu, ' ').trim(),
    isDeprecated: ts.getJSDocDeprecatedTag(node) !== undefined,
  };
}
