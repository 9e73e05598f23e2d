import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { ScriptConfig } from '@app/domain';
import type { Ending, NodePerformer, Performance } from './performance.js';
import { commandEnding } from './process/command-outcome.js';
import { environmentOf } from './process/environment.js';
import { runCommand } from './process/run-command.js';
import { demandShell } from './shell.performer.js';

/**
 * SCRIPT: source text run by Python or Node; the task's input on stdin, its output on stdout. The source is a file of its
 * own for the time of the attempt, so its length has no limit and errors name lines.
 */
export class ScriptPerformer implements NodePerformer {
  readonly type = 'SCRIPT' as const;

  constructor(private readonly isAllowed: boolean) {}

  async perform(performance: Performance): Promise<Ending> {
    demandShell(this.isAllowed);
    const { task, scope } = performance;
    const config = task.node.config as ScriptConfig;
    const env = environmentOf(config.env, task, scope);
    const folder = await mkdtemp(join(tmpdir(), 'fanfold-script-'));
    try {
      const file = join(folder, `script.${extensionOf(config)}`);
      await writeFile(file, config.source, { mode: 0o600 });
      const argv = config.language === 'python' ? ['python3', '-X', 'utf8', file] : [process.execPath, file];
      const end = await runCommand({ argv, env, stdin: scope.input }, performance);
      return commandEnding(end, config.permanentExitCodes, 'script');
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** Node takes a source as CommonJS where it is that; else, with `import` or `await` at the top, as a module. */
function extensionOf({ language, source }: ScriptConfig): string {
  if (language === 'python') return 'py';
  try {
    new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`);
    return 'cjs';
  } catch {
    return 'mjs';
  }
}
