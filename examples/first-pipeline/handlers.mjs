// Handlers for HANDLER nodes: FANFOLD_HANDLERS=./examples/first-pipeline/handlers.mjs npm start
// A handler written in TypeScript beside the engine imports PermanentError, TransientError and defineHandler from libs/sdk.
// The executor looks at the property `fanfold` of what is thrown, not at its class, so a plain module needs no import.

/** The named export is the handler's name. What it returns is the task's output. */
export async function addVat({ input, idempotencyKey, attempt, signal, log }) {
  const amount = Number(input.amount);
  if (!Number.isFinite(amount))
    throw Object.assign(new Error(`${input.amount} is not an amount`), {
      fanfold: 'permanent',
      code: 'AMOUNT.INVALID',
    });
  log('adding value added tax', { idempotencyKey, attempt });
  signal.throwIfAborted();
  return { entry: input.entry_id, gross: Math.round(amount * 119) / 100 };
}
