/**
 * What a failed database call means. A deadlock, a serialization failure or a lost connection says nothing about the
 * data: the call is made again and never charged to an item. A refusal for the data's sake (SQLSTATE classes 22, 23
 * and 54) is the data's fault.
 */
const transientCodes = new Set([
  '40001',
  '40P01',
  '55P03',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '53300',
  '25006',
  '25P03',
  '57P05',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

export function isTransient(error: unknown): boolean {
  const { code, name, message } = (error ?? {}) as { code?: string; name?: string; message?: string };
  if (typeof code === 'string' && (transientCodes.has(code) || code.startsWith('08'))) return true;
  return (
    name === 'QueryRunnerProviderAlreadyReleasedError' ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable/.test(
      message ?? '',
    )
  );
}

/** True when nothing could be asked at all: the server is away, restarting or read-only. */
export function isUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return isTransient(error) && code !== '40001' && code !== '40P01' && code !== '55P03';
}

export function isRefusedData(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}
