const byCode: Readonly<Record<string, string>> = {
  'EXECUTION.UNKNOWN': 'fanfold ps lists what there is',
  'EXECUTION.NOT_FOUND': 'fanfold ps lists what there is',
  'EXECUTION.KEY_IN_USE': 'wait for the one that has the key, or cancel it: fanfold ps',
  'EXECUTION.ILLEGAL_TRANSITION': 'fanfold show tells its state',
  'EXECUTION.NODE_UNKNOWN': 'fanfold show lists its nodes',
  'PIPELINE.UNKNOWN': 'fanfold pipeline list tells what there is, fanfold pipeline apply publishes one',
  'PIPELINE.VERSION_UNKNOWN': 'without --version it is the newest',
  'ACCESS.FORBIDDEN': 'it takes a key with another role: --key-file',
};

/** What whoever was refused does next; null where the refusal says it. */
export const nextStepOf = (code: string): string | null => (Object.hasOwn(byCode, code) ? byCode[code]! : null);
