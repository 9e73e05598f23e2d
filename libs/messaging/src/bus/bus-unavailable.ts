/** The bus did not take the messages. A caller treats it as a lost hint. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
  readonly code = 'BUS.UNAVAILABLE';
}
