/** The APIs of the interface document, in the order in which reports list them. */
export const API_NAMES = ['zap', 'trade', 'docs', 'ai'] as const;

/** One of the APIs of the interface document. */
export type DocumentApi = (typeof API_NAMES)[number];
