import { brokerOutages } from '../support/broker-outages.js';

brokerOutages('a broker', {
  // Its application alone, within seconds: connections and queues go and come as with the whole server.
  restarts: async (rabbit) => {
    for (let times = 0; times < 3; times++) {
      rabbit.control(['stop_app']);
      rabbit.control(['start_app']);
    }
  },
  items: 800,
  awayMs: 3_000,
});
