import { literalTemplate, type Template } from '../../expression/template.js';
import { jsonKind } from '../../json/cut.js';
import { decodeString } from '../../json/string-text.js';
import { readTemplate, type Fields, type Located } from '../fields.js';
import type { ShellConfig } from '../plan.js';
import { readRanges, type Ranges } from './ranges.js';
import { holdsNul, readEnvironment, requireScalar } from './text-map.js';

/** Exit codes that would come back the same: wrong usage, and the range of sysexits.h. */
export const defaultPermanentExitCodes: Ranges = [
  [2, 2],
  [64, 78],
];

export function readShell(config: Fields): ShellConfig | null {
  config.required('command');
  const elements = config.list('command');
  const env = readEnvironment(config);
  const stdin = config.template('stdin');
  const permanentExitCodes = readRanges(config, 'permanentExitCodes', 1, 255) ?? defaultPermanentExitCodes;
  if (!elements) return null;
  if (elements.length === 0) config.report('command', 'must name a program');
  return { type: 'SHELL', command: readCommand(config, elements), env, stdin, permanentExitCodes };
}

function readCommand(config: Fields, elements: readonly Located[]): Template[] {
  const script = scriptPosition(elements.map((element) => textOf(element.text)));
  return elements.flatMap((element, i) => {
    requireScalar(element, config.place);
    if (holdsNul(element.text)) config.place.report.add(element.path, 'holds a NUL, which no command can carry');
    const template = i === script ? literalTemplate(element.text) : readTemplate(element, config.place, false);
    return template ? [template] : [];
  });
}

function textOf(text: string): string {
  return jsonKind(text) === 'string' ? decodeString(text) : text;
}

const shell = /(?:^|\/)(?:sh|bash|dash|ash|ksh|zsh)$/;

/**
 * The position of the script text of `sh -c` or `bash -c` in a command, also behind `env`, `sudo` and the like, or -1.
 * What stands there is never a template: data that became part of a script would run. A program that only a template
 * names may be a shell.
 */
export function scriptPosition(command: readonly string[]): number {
  const program = command.findIndex((element, i) => shell.test(element) || (i === 0 && element.includes('${')));
  if (program === -1) return -1;
  const flag = command.findIndex((element, i) => i > program && /^-[A-Za-z]*c[A-Za-z]*$/.test(element));
  if (flag === -1) return -1;
  let at = flag + 1;
  while (at < command.length && /^[-+]/.test(command[at]!)) at += /^[-+][oO]$/.test(command[at]!) ? 2 : 1;
  return at < command.length ? at : -1;
}
