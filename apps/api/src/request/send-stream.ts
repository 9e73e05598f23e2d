import type { Response } from 'express';
import { drained } from './drained.js';

const joined = 64 * 1024;

/**
 * Sends parts as they come, no faster than they are taken. The first part is made before the headers go out, so that
 * what fails at once is still told as a problem; what fails later breaks the answer off, so that it cannot look whole.
 */
export async function sendStream(
  response: Response,
  headers: Readonly<Record<string, string>>,
  parts: AsyncGenerator<string>,
): Promise<void> {
  const first = await parts.next();
  response.status(200);
  for (const [name, value] of Object.entries({ 'cache-control': 'no-store', ...headers }))
    response.setHeader(name, value);
  try {
    let text = first.done ? '' : first.value;
    if (!first.done)
      for await (const part of parts) {
        text += part;
        if (text.length < joined) continue;
        if (response.destroyed) return;
        if (!response.write(text)) await drained(response);
        text = '';
      }
    response.end(text);
  } catch (error) {
    response.destroy();
    throw error;
  }
}
