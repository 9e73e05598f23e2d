import { DestinationLimitStore, type Database } from '@app/persistence';
import { SystemClock, SystemRandom, type Clock, type ExecutorConfig, type Logger, type Random } from '@app/runtime';
import { DestinationGate } from '../destinations/destination-gate.js';
import { DestinationThrottle } from '../destinations/destination-throttle.js';
import { LimitedDestinations } from '../destinations/limited-destinations.js';
import type { Performer } from '../running/performer.js';
import { AttemptPerformer } from './attempt.performer.js';
import { HandlerPerformer } from './handler.performer.js';
import type { HandlerRegistry } from './handler-registry.js';
import { AddressGuard } from './http/address-guard.js';
import { guardedAgent } from './http/guarded-agent.js';
import { HttpPerformer } from './http.performer.js';
import type { NodePerformer } from './performance.js';
import { ScriptPerformer } from './script.performer.js';
import { Secrets } from './secrets.js';
import { ShellPerformer } from './shell.performer.js';

export interface PerformerParts {
  readonly config: Pick<ExecutorConfig, 'slots' | 'allowShell' | 'httpAllow' | 'secrets' | 'secretsDir'>;
  readonly handlers: HandlerRegistry;
  readonly database: Database;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** One performer for each node type that an executor performs. */
export function createPerformers({ config, handlers, database, logger, ...given }: PerformerParts): Performer[] {
  const clock = given.clock ?? new SystemClock();
  const random = given.random ?? new SystemRandom();
  const store = new DestinationLimitStore();
  const limited = new LimitedDestinations(database, store, clock, logger);
  const gate = new DestinationGate(database, store, limited, clock, logger);
  const throttle = new DestinationThrottle(database, store, limited, clock, logger);
  const secrets = new Secrets(config.secrets, config.secretsDir);
  const agent = guardedAgent(new AddressGuard(config.httpAllow), config.slots);
  const performers: NodePerformer[] = [
    new HttpPerformer(agent, gate, clock, random),
    new ShellPerformer(config.allowShell),
    new ScriptPerformer(config.allowShell),
    new HandlerPerformer(handlers, clock),
  ];
  return performers.map((performer) => new AttemptPerformer(performer, secrets, throttle));
}

/** At once to one host. */
const sideConnections = 16;

/**
 * Performs HTTP calls that are no tasks. Addresses, secrets and what an answer means are those of HTTP nodes; limits of
 * destinations bound tasks, and do not hold these back.
 */
export function createSidePerformer({
  config,
  database,
  logger,
}: Pick<PerformerParts, 'config' | 'database' | 'logger'>): Performer {
  const clock = new SystemClock();
  const store = new DestinationLimitStore();
  const limited = new LimitedDestinations(database, store, clock, logger);
  const agent = guardedAgent(new AddressGuard(config.httpAllow), sideConnections);
  const free = { enter: async () => ({ kind: 'open', leave: () => undefined }) as const };
  return new AttemptPerformer(
    new HttpPerformer(agent, free, clock, new SystemRandom()),
    new Secrets(config.secrets, config.secretsDir),
    new DestinationThrottle(database, store, limited, clock, logger),
  );
}
