import { brokerOutages } from '../support/broker-outages.js';

brokerOutages('a broker for long', {
  // The whole server, killed: what it had not yet stored is lost.
  restarts: async (rabbit) => {
    for (let times = 0; times < 3; times++) {
      await rabbit.kill();
      await rabbit.up();
    }
  },
  items: 2_000,
  awayMs: 20_000,
});
