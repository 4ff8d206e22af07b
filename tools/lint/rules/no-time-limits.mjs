/** Jest functions with the index of their time limit. */
const limitAt = new Map([
  ...['it', 'test', 'fit', 'xit', 'xtest'].map((name) => [name, 2]),
  ...['beforeAll', 'beforeEach', 'afterAll', 'afterEach'].map((name) => [name, 1]),
]);
const isClock = (call) =>
  /^(?:performance\.now|Date\.now|process\.hrtime(?:\.bigint)?)$/u.test(nameOf(call.callee));

/** Time decides no test: one limit in jest.preset.js, no assertions on durations. */
export const noTimeLimits = {
  meta: {
    type: 'problem',
    messages: {
      limit: 'The one time limit of all tests is in jest.preset.js: wait for a state instead.',
      elapsed: 'How long it takes depends on the machine: expect an order or a cause instead.',
      forced: 'What keeps Jest from ending is to be closed by the test that opened it.',
    },
    schema: [],
  },
  create(context) {
    const { sourceCode } = context;
    const readsClock = (node) => {
      if (node.type === 'Identifier') {
        const variable = scopeOf(sourceCode, node)?.set.get(node.name);
        return (
          variable?.defs.some(
            ({ node: { init } }) => init?.type === 'BinaryExpression' && readsClock(init),
          ) ?? false
        );
      }
      if (node.type === 'CallExpression') {
        return isClock(node) || node.arguments.some(readsClock);
      }
      return node.type === 'BinaryExpression' && (readsClock(node.left) || readsClock(node.right));
    };
    return {
      CallExpression(node) {
        const at = limitAt.get(nameOf(node.callee).split('.')[0]);
        const isLimit = nameOf(node.callee) === 'jest.setTimeout' || node.arguments[at];
        // `it.each(table)` returns a function that takes the test.
        if (isLimit && !/\.each$/u.test(nameOf(node.callee))) {
          context.report({ node, messageId: 'limit' });
        }
        const { callee } = node;
        if (
          callee.type === 'MemberExpression' &&
          /^toBeLessThan/u.test(callee.property.name ?? '') &&
          callee.object.type === 'CallExpression' &&
          nameOf(callee.object.callee) === 'expect' &&
          callee.object.arguments.some(readsClock)
        ) {
          context.report({ node, messageId: 'elapsed' });
        }
      },
      'Property[key.name="testTimeout"]'(node) {
        if (!context.filename.endsWith('jest.preset.js')) {
          context.report({ node, messageId: 'limit' });
        }
      },
      'Property[key.name="forceExit"]'(node) {
        context.report({ node, messageId: 'forced' });
      },
    };
  },
};

/** `it.only.each` of `it.only.each(table)(name, test)`, and the like. */
function nameOf(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return `${nameOf(node.object)}.${node.property.name ?? ''}`;
    case 'CallExpression':
      return `${nameOf(node.callee)}()`;
    case 'TaggedTemplateExpression':
      return `${nameOf(node.tag)}()`;
    default:
      return '';
  }
}

function scopeOf(sourceCode, node) {
  let scope = sourceCode.getScope(node);
  while (scope !== null && !scope.set.has(node.name)) {
    scope = scope.upper;
  }
  return scope;
}
