import { endOfString, isSpace, quote } from './scan.js';

/** The same JSON text without white space outside strings; nothing else changes. */
export function squeeze(text: string): string {
  let kept = '';
  let from = 0;
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      const end = endOfString(text, i);
      if (end === -1) break;
      i = end;
    } else if (isSpace(code)) {
      kept += text.slice(from, i);
      while (isSpace(text.charCodeAt(i))) i++;
      from = i;
    } else i++;
  }
  return from === 0 ? text : kept + text.slice(from);
}
