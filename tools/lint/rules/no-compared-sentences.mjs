/** Fields with text for people. */
const WORDS = /^(?:message|detail|title)$/u;
/** Three or more words that begin or end like a sentence. */
const SENTENCE = /^\p{Lu}\S* \S+ \S|^\S+ \S+ .*[.!?]$/u;
const SEARCHES = /^(?:includes|startsWith|endsWith|indexOf|match|matchAll|search)$/u;

/** Failures are told apart by code, `type` or class, never by text, which changes. */
export const noComparedSentences = {
  meta: {
    type: 'problem',
    messages: {
      compared:
        'Words for people are not compared: tell kinds apart by a code, a type or a class, such as the `type` of a problem.',
    },
    schema: [],
  },
  create(context) {
    const check = (node, ...sides) => {
      if (sides.some(isSentence) || (sides.some(isWords) && !sides.some(isNothing))) {
        context.report({ node, messageId: 'compared' });
      }
    };
    return {
      BinaryExpression(node) {
        if (/^[!=]==?$/u.test(node.operator)) {
          check(node, node.left, node.right);
        }
      },
      SwitchStatement(node) {
        node.cases
          .filter(({ test }) => test !== null)
          .forEach((each) => {
            check(each, node.discriminant, each.test);
          });
      },
      CallExpression(node) {
        const { callee, arguments: args } = node;
        if (callee.type !== 'MemberExpression' || args.length === 0) {
          return;
        }
        const name = callee.property.name ?? '';
        if (/^(?:test|exec)$/u.test(name) && isWords(args[0])) {
          context.report({ node, messageId: 'compared' });
        } else if (SEARCHES.test(name)) {
          // Also `texts.includes(detail)`.
          check(node, callee.object, args[0]);
        }
      },
    };
  },
};

function isSentence(node) {
  const text = node.type === 'TemplateLiteral' ? node.quasis[0].value.cooked : node.value;
  return typeof text === 'string' && SENTENCE.test(text);
}

/** `error.message`, `message`, `error?.message ?? ''`, `String(error)`. */
function isWords(node) {
  switch (node.type) {
    case 'Identifier':
      return WORDS.test(node.name);
    case 'MemberExpression':
      return WORDS.test(node.property.name ?? '');
    case 'ChainExpression':
      return isWords(node.expression);
    case 'LogicalExpression':
      return isWords(node.left) || isWords(node.right);
    case 'CallExpression':
      return (
        node.callee.name === 'String' && /^(?:error|cause)$/u.test(node.arguments[0]?.name ?? '')
      );
    default:
      return false;
  }
}

function isNothing(node) {
  return node.name === 'undefined' || (node.type === 'Literal' && !node.value);
}
