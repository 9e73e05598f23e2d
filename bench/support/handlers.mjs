// What the executors under measurement run, named by FANFOLD_HANDLERS.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns its input. */
export const echo = ({ input }) => input;

/** Does nothing. */
export const nothing = () => null;

/** Holds a slot for `milliseconds` and leaves the processor alone. */
export const pause = async ({ input }) => {
  await sleep(input.milliseconds);
  return null;
};

/** Keeps the event loop busy for `milliseconds`, and writes down in `file` that it began and that it ended. */
export const spin = ({ input, attempt }) => {
  appendFileSync(input.file, `begin ${attempt}\n`);
  const end = performance.now() + input.milliseconds;
  while (performance.now() < end);
  appendFileSync(input.file, `end ${attempt}\n`);
  return null;
};

/** Refuses its item for good while the file is there. */
export const refuse = ({ input }) => {
  if (!existsSync(input.file)) return null;
  throw Object.assign(new Error('refused'), { fanfold: 'permanent' });
};

/** Fails at the first attempt where the item is one of `everyNth`, as what is temporarily away does. */
export const stumble = ({ input, attempt }) => {
  if (input.n % input.everyNth !== 0 || attempt > 1) return null;
  throw new Error('not now');
};

/** Refuses every 20th item for good while the file is there. */
export const refuseSome = ({ input }) => {
  if (input.n % 20 !== 0 || !existsSync(input.file)) return null;
  throw Object.assign(new Error('refused'), { fanfold: 'permanent' });
};
