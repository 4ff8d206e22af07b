const hasLetter = String.raw`/\p{L}/u`;
const readAttribute =
  '/^(aria-label|aria-description|aria-roledescription|title|placeholder|alt|label|help|error|sentence|description|textValue)$/';
const inExpression = ':matches(JSXElement, JSXFragment) > JSXExpressionContainer';

/** Attributes with visible text. */
const TEXTS = [
  `JSXText[value=${hasLetter}]`,
  `JSXAttribute[name.name=${readAttribute}] > Literal[value=${hasLetter}]`,
  `JSXAttribute[name.name=${readAttribute}] > JSXExpressionContainer > :matches(Literal[value=${hasLetter}], TemplateLiteral)`,
  `${inExpression} > Literal[value=${hasLetter}]`,
  `${inExpression} > :matches(ConditionalExpression, LogicalExpression) > Literal[value=${hasLetter}]`,
];

export const catalogueTexts = {
  meta: {
    type: 'problem',
    messages: {
      text: 'Text that people read is in the catalogues (src/renderer/text): use useText().',
    },
    schema: [],
  },
  create(context) {
    const report = (node) => {
      context.report({ node, messageId: 'text' });
    };
    return Object.fromEntries(TEXTS.map((selector) => [selector, report]));
  },
};
