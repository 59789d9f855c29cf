import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import type { ProbeEvent } from '../transcript.ts';

/** An event of the probe with the header fields that came. */
export interface ReportedEvent extends Pick<ProbeEvent, 'sentMs' | 'receivedMs' | 'outcome'> {
  /** When it was received by the probe's wall clock, ms since the epoch. */
  readonly receivedEpochMs: number;
  readonly headers: HeaderList;
}
