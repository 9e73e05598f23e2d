import type { Fields } from '../fields.js';
import type { ScriptConfig } from '../plan.js';
import { readRanges } from './ranges.js';
import { defaultPermanentExitCodes } from './shell.js';
import { readEnvironment } from './text-map.js';

/** `source` is never a template. */
export function readScript(config: Fields): ScriptConfig | null {
  config.required('language');
  const language = config.oneOf('language', ['python', 'node']);
  const source = config.requiredString('source');
  const env = readEnvironment(config);
  const permanentExitCodes = readRanges(config, 'permanentExitCodes', 1, 255) ?? defaultPermanentExitCodes;
  if (language === null || source === null) return null;
  return { type: 'SCRIPT', language, source, env, permanentExitCodes };
}
