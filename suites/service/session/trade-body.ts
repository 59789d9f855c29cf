/** The body of a trade build request (document, section 2.3). */
export type TradeBody = Readonly<Record<string, unknown>>;
