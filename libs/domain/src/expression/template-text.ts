/** Where the expressions of a template lie in its text. */
export interface TextPart {
  readonly kind: 'literal' | 'expression';
  readonly text: string;
  /** 0-based offset of `text` in the string. */
  readonly offset: number;
}

/**
 * Splits the value of a string at `${…}`; `$${` is a literal `${`. Braces and quotes within an expression are balanced
 * as CEL reads them.
 * @returns the offset of a `${` that is never closed, where there is one
 */
export function splitTemplate(text: string): readonly TextPart[] | number {
  const parts: TextPart[] = [];
  let literal = '';
  let from = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at)) {
    if (text.startsWith('$${', at)) {
      literal += text.slice(from, at) + '${';
      at += 3;
      from = at;
    } else if (text.startsWith('${', at)) {
      literal += text.slice(from, at);
      const end = endOfExpression(text, at + 2);
      if (end === -1) return at;
      if (literal !== '') parts.push({ kind: 'literal', text: literal, offset: from });
      parts.push({ kind: 'expression', text: text.slice(at + 2, end), offset: at + 2 });
      literal = '';
      at = end + 1;
      from = at;
    } else at++;
  }
  literal += text.slice(from);
  if (literal !== '') parts.push({ kind: 'literal', text: literal, offset: from });
  return parts;
}

/** The offset of the brace that closes an expression, or -1. */
function endOfExpression(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const char = text[i];
    if (char === '"' || char === "'") {
      const end = endOfLiteral(text, i);
      if (end === -1) return -1;
      i = end - 1;
    } else if (char === '{') depth++;
    else if (char === '}' && depth-- === 0) return i;
  }
  return -1;
}

/**
 * The offset after the CEL string or bytes literal whose quote is at `at`, or -1. A backslash keeps the next quote from
 * closing it, in raw literals too, as the engine's lexer has it.
 */
function endOfLiteral(text: string, at: number): number {
  const quote = text[at]!;
  const fence = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let i = at + fence.length; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(fence, i)) return i + fence.length;
  }
  return -1;
}
