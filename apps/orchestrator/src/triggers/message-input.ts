import { canonicalJson, checkJson, squeeze } from '@app/domain';
import type { ForeignMessage } from '@app/messaging';

/** A message that can never become an execution: `AREA.REASON` and why. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What a message asks for. */
export interface MessageInput {
  /** Exact JSON text. */
  readonly input: string;
  /** Equal texts are the same input. */
  readonly canonical: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws MessageRefused where the body is no input, or the id none that can be kept */
export function inputOf({ body, messageId }: ForeignMessage, limitBytes: number): MessageInput {
  // eslint-disable-next-line no-control-regex -- an id is shown in lists and labels
  if (messageId !== null && /[\u0000-\u001f\u007f-\u009f]/.test(messageId))
    throw new MessageRefused('MESSAGE.ID', 'the message id must not hold control characters');
  if (body.length > limitBytes)
    throw new MessageRefused('MESSAGE.TOO_LARGE', `the body has ${body.length} bytes, and ${limitBytes} are allowed`);
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new MessageRefused('MESSAGE.NOT_UTF8', 'the body is not UTF-8');
  }
  const defect = checkJson(text);
  if (defect) {
    const where = defect.path === '' ? '' : `${defect.path.slice(0, 256)}: `;
    throw new MessageRefused('MESSAGE.NOT_JSON', `the body is not JSON: ${where}${defect.message}`);
  }
  return { input: squeeze(text), canonical: canonicalJson(text) };
}
