import type { ApiClient } from './api-client.js';

export interface Frame {
  readonly event: string;
  readonly id: number | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- differs by event
  readonly data: any;
}

/**
 * Follows an execution to the end of its stream, through connections that break: each one goes on after the last number
 * it was told.
 *
 * @param afterFrame says when to drop the connection
 */
export const follow = async (
  api: ApiClient,
  id: string,
  afterFrame: (count: number) => boolean = () => false,
): Promise<Frame[]> => {
  const frames: Frame[] = [];
  for (;;) {
    const last = frames.findLast((frame) => frame.id !== null)?.id;
    const controller = new AbortController();
    const response = await fetch(`${api.url}/v1/executions/${id}/stream`, {
      signal: controller.signal,
      headers: {
        authorization: `Bearer ${api.key}`,
        ...(last === undefined || last === null ? {} : { 'last-event-id': String(last) }),
      },
    });
    if (response.status !== 200) throw new Error(`the stream gave ${response.status}: ${await response.text()}`);
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const frame = parseFrame(text.slice(0, end));
          text = text.slice(end + 2);
          if (!frame) continue;
          frames.push(frame);
          if (frame.event === 'end') return frames;
          if (afterFrame(frames.length)) {
            controller.abort();
            break;
          }
        }
        if (controller.signal.aborted) break;
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  }
};

const parseFrame = (text: string): Frame | undefined => {
  const fields = text.split('\n').map((line) => /^(id|event|data): ?(.*)$/.exec(line));
  const value = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2]!] : [])).join('\n');
  const event = value('event');
  if (event === '') return undefined;
  return { event, id: value('id') === '' ? null : Number(value('id')), data: JSON.parse(value('data')) };
};
