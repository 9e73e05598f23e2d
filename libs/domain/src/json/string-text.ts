/** The value of a JSON string given as its exact text, quotes included; lone surrogates and `\u0000` survive. */
export function decodeString(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** JSON text of a string; lone surrogates are written as escapes, so the text is always encodable as UTF-8. */
export function encodeString(value: string): string {
  return JSON.stringify(value);
}
