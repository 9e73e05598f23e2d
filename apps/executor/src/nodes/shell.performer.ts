import { evaluateToText, type ShellConfig } from '@app/domain';
import { AttemptFailure, type Ending, type NodePerformer, type Performance } from './performance.js';
import { commandEnding } from './process/command-outcome.js';
import { environmentOf } from './process/environment.js';
import { runCommand } from './process/run-command.js';

/** @throws AttemptFailure (permanent) where the configuration does not allow processes */
export function demandShell(isAllowed: boolean): void {
  if (!isAllowed)
    throw new AttemptFailure(
      'PERMANENT',
      'SHELL.NOT_ALLOWED',
      'this executor runs no SHELL and SCRIPT nodes; EXECUTOR_ALLOW_SHELL allows them',
    );
}

/** SHELL: a program with arguments, a direct child of the executor. */
export class ShellPerformer implements NodePerformer {
  readonly type = 'SHELL' as const;

  constructor(private readonly isAllowed: boolean) {}

  async perform(performance: Performance): Promise<Ending> {
    demandShell(this.isAllowed);
    const { task, scope } = performance;
    const config = task.node.config as ShellConfig;
    const command = {
      argv: config.command.map((argument) => evaluateToText(argument, scope)),
      env: environmentOf(config.env, task, scope),
      stdin: config.stdin === null ? null : evaluateToText(config.stdin, scope),
    };
    return commandEnding(await runCommand(command, performance), config.permanentExitCodes, 'command');
  }
}
