import { member } from '../json.ts';
import type { Rule } from '../rule.ts';
import { wellFormedValues } from './response-shape.ts';

export const authenticationRules: readonly Rule[] = [
  wellFormedValues(
    'docs',
    {
      name: 'url',
      source: '§5.4',
      protects: 'The members of agent_auth that name a place are URLs.',
    },
    ['docs.protected-resource', 'docs.authorization-server'],
    (json) => member(json, 'agent_auth') !== undefined,
  ),
];
