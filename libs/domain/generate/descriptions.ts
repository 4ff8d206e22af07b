import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const source = fileURLToPath(new URL('../src', import.meta.url));

interface Text {
  readonly text: string;
  readonly deprecated: boolean;
}

interface ClassText {
  readonly text: string;
  readonly parent: string | undefined;
  readonly properties: ReadonlyMap<string, Text>;
}

/** The comments of the DTO classes and of their properties, so that the documentation says what the code says. */
export function describe(): (className: string) => {
  text: string;
  property(name: string): Text;
} {
  const classes = new Map<string, ClassText>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (file.endsWith('.dto.ts')) {
      readClasses(join(source, file), classes);
    }
  }
  return (className) => ({
    text: find(classes, className).text,
    property: (name) => propertyText(classes, className, name),
  });
}

function find(classes: ReadonlyMap<string, ClassText>, name: string): ClassText {
  const found = classes.get(name);
  if (found === undefined) {
    throw new Error(`${name} stands in no *.dto.ts file`);
  }
  return found;
}

function propertyText(
  classes: ReadonlyMap<string, ClassText>,
  name: string,
  property: string,
): Text {
  const { properties, parent } = find(classes, name);
  const text = properties.get(property);
  if (text !== undefined) {
    return text;
  }
  if (parent === undefined) {
    throw new Error(`${name}.${property} has no comment`);
  }
  return propertyText(classes, parent, property);
}

function readClasses(file: string, classes: Map<string, ClassText>): void {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const node of tree.statements) {
    if (!ts.isClassDeclaration(node) || node.name === undefined) {
      continue;
    }
    const properties = new Map<string, Text>();
    for (const member of node.members) {
      if (ts.isPropertyDeclaration(member)) {
        properties.set(member.name.getText(tree), comment(member));
      }
    }
    const parent = node.heritageClauses?.[0]?.types[0]?.expression.getText(tree);
    classes.set(node.name.text, { text: comment(node).text, parent, properties });
  }
}

function comment(node: ts.Node): Text {
  const blocks = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = blocks
    .map((block) => ts.getTextOfJSDocComment(block.comment) ?? '')
    .join(' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return { text, deprecated: ts.getJSDocDeprecatedTag(node) !== undefined };
}
