// The handler of llm-batch.ts. The executor loads it: FANFOLD_HANDLERS=./llm-handlers.js
import { defineHandler, PermanentError, TransientError } from '@fanfold/sdk';

export interface Prompt {
  readonly model: string;
  readonly text: string;
  readonly url: string;
}

export interface Completion {
  readonly text: string;
  readonly tokens: number;
}

/** Asks the model. One that is busy slows down everybody who calls it; a prompt that it refuses is refused for good. */
export const complete = defineHandler<Prompt, Completion>(async ({ input, idempotencyKey, signal, log }) => {
  const response = await fetch(input.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ model: input.model, prompt: input.text }),
    signal,
  });
  if (response.status === 429)
    throw new TransientError({ retryAfter: response.headers.get('retry-after') ?? '1s', destination: 'llm' });
  if (response.status === 400) throw new PermanentError(await response.text(), { code: 'PROMPT.REFUSED' });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
  const answer = (await response.json()) as Completion;
  log('completed', { tokens: answer.tokens });
  return answer;
});
