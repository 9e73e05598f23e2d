import { modes } from '../support/engine.js';
import { inModes } from '../support/in-every-mode.js';
import { cancelAmidSpawning, publishNested } from '../support/nested-cancel.js';

inModes(modes, 'a cancel amid spawning', (stage) => {
  it('leaves nothing open three levels down within 5 s, and nothing is born or claimed after its answer', async () => {
    const pipeline = await publishNested(stage);
    const left = await cancelAmidSpawning(stage, pipeline, 1_000);
    expect(left).toMatchObject({ claimedAfter: 0, bornAfter: 0 });
    expect(left.closedAfterMs).toBeLessThan(5_000);
  });
});
