/** The documented operations by API (document, section 4), as the contract's operationIds. */
export const ZAP_OPERATIONS: readonly string[] = [
  'zap.quote',
  'zap.build-tx',
  'zap.pools',
  'zap.pool-details',
  'zap.chains',
  'zap.providers',
];
export const TRADE_OPERATIONS: readonly string[] = ['trade.build-tx', 'trade.quotes'];

/** Metadata documents of the docs host, whose RFCs say that they are JSON objects. */
export const METADATA_OPERATIONS: readonly string[] = [
  'docs.protected-resource',
  'docs.authorization-server',
];

/** The discovery documents, one of which shows agents how to get a credential. */
export const DISCOVERY_OPERATIONS: readonly string[] = [...METADATA_OPERATIONS, 'docs.api-catalog'];

/** Operations of the docs host that publish a document of any kind. */
export const DOCUMENT_OPERATIONS: readonly string[] = [
  'docs.openapi',
  'docs.openapi-mirror',
  'docs.llms',
  'docs.auth-md',
  ...DISCOVERY_OPERATIONS,
];

/** Operations of the agent-auth life cycle; their HTTP methods are not stated. */
export const AGENT_AUTH_OPERATIONS: readonly string[] = [
  'docs.register',
  'docs.claim',
  'docs.revoke',
];
