/** How much a YAML text may hold; more is refused before anything is made of it. */
export interface YamlLimits {
  /** Of the text as UTF-8. */
  readonly mostBytes: number;
  /** Lists and mappings in one another. */
  readonly mostDepth: number;
  /** Keys, values, items and what stands between them; JSON has the wider limit below. */
  readonly mostNodes: number;
  /** Anchors, aliases, tags, directives, and lines that begin or end a document. */
  readonly mostMarks: number;
  /** Keys, values and items of JSON; of YAML with every alias written out. */
  readonly mostExpandedNodes: number;
}

/**
 * For contracts, one's own and those that a target publishes. One of 2 MB with 55,000 lines has some
 * 230,000 nodes; few are deeper than 40 levels.
 */
export const CONTRACT_YAML: YamlLimits = {
  mostBytes: 8_388_608,
  mostDepth: 200,
  mostNodes: 400_000,
  mostMarks: 10_000,
  mostExpandedNodes: 1_000_000,
};

/** For configuration files, which are the user's own. */
export const CONFIG_YAML: YamlLimits = { ...CONTRACT_YAML, mostBytes: 16_777_216 };
