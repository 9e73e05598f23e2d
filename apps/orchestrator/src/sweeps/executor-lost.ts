/** The failure of an attempt that was lost with its executor: JSON text. */
export const executorLost = JSON.stringify({
  class: 'EXECUTOR_LOST',
  code: 'EXECUTOR.LOST',
  message: 'the executor that performed the attempt was lost',
});
