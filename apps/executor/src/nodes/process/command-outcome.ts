import { checkJson, encodeString, type FailureDetail } from '@app/domain';
import type { Ending } from '../performance.js';
import type { CommandEnd } from './run-command.js';

/** What the end of a command means: 0 succeeds, the codes given are permanent, others and signals are transient. */
export function commandEnding(
  end: CommandEnd,
  permanentExitCodes: readonly (readonly [number, number])[],
  what: string,
): Ending {
  const output = outputText(end.stdout);
  if (end.code === 0) return { outcome: { kind: 'succeeded', output } };
  const { code, signal, lastWords } = end;
  const isPermanent = code !== null && permanentExitCodes.some(([from, to]) => from <= code && code <= to);
  const words = lastWords === '' ? '' : `: ${lastWords.slice(0, 500)}`;
  const class_ = isPermanent ? 'PERMANENT' : 'TRANSIENT';
  const error: FailureDetail =
    code === null
      ? { class: class_, code: 'SHELL.KILLED', message: `the ${what} was ended by ${signal}${words}`, signal }
      : {
          class: class_,
          code: 'SHELL.EXITED',
          message: `the ${what} exited with code ${code}${words}`,
          exitCode: code,
        };
  return { outcome: { kind: 'failed', class: class_, error }, output };
}

/** JSON where it parses, in its exact text; else a string, in which undecodable bytes are replacement characters. */
export function outputText(stdout: Buffer): string {
  const text = stdout.toString('utf8');
  const isUtf8 = !text.includes('\ufffd') || Buffer.from(text).equals(stdout);
  return isUtf8 && text.trim() !== '' && checkJson(text) === null ? text.trim() : encodeString(text);
}
