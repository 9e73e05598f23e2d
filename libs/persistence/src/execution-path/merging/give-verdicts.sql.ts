import type { Statement } from '../../database/database.js';

/**
 * Writes verdicts. $1 fan-outs, $2 rounds they were decided in, $3 verdicts, $4 reasons, $5 whether the fan-out closes early.
 * A verdict leaves nothing for a rollout to ask or to wait for. Guard: the round is still the same and open (I5).
 */
export const giveVerdicts: Statement = {
  name: 'give-verdicts',
  text: `
update fan_out f
set verdict = x.verdict,
    verdict_reason = x.reason,
    verdict_at = now(),
    stage_hold = null,
    closed = f.closed or x.closes
from unnest($1::bigint[], $2::integer[], $3::merge_verdict[], $4::text[], $5::boolean[]) x (id, round, verdict, reason, closes)
where f.id = x.id
  and f.round = x.round
  and f.verdict = 'open'
returning f.id`,
};
