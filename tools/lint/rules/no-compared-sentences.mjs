/** Where words for people stand. */
const WORDS = /^(?:message|detail|title)$/u;
/** Three words or more that begin as a sentence does, or end as one. */
const SENTENCE = /^\p{Lu}\S* \S+ \S|^\S+ \S+ .*[.!?]$/u;
const SEARCHES = /^(?:includes|startsWith|endsWith|indexOf|match|matchAll|search)$/u;

/** What kind of failure it was is told by a code, a `type` or a class: words are for people, and change. */
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
        const { callee, arguments: given } = node;
        if (callee.type !== 'MemberExpression' || given.length === 0) {
          return;
        }
        const name = callee.property.name ?? '';
        if (/^(?:test|exec)$/u.test(name) && isWords(given[0])) {
          context.report({ node, messageId: 'compared' });
        } else if (SEARCHES.test(name)) {
          // `texts.includes(detail)` compares as well as `detail.includes(text)`.
          check(node, callee.object, given[0]);
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

/** Whether there are words at all is no question of what they say. */
function isNothing(node) {
  return node.name === 'undefined' || (node.type === 'Literal' && !node.value);
}
