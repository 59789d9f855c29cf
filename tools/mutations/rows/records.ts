import { mutationsOf, type Mutation } from '../mutation.ts';

const SPECS = ['cli/tasks/judge-unjudged.spec.ts'];

/** Records that their runs did not judge. */
export const RECORD_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf('cli/tasks/completion.ts', SPECS, [
    [
      'recorded.contract.sha256 !== run.contract.sha256',
      'recorded.contract.sha256 === undefined',
      'a record is completed by another contract',
    ],
  ]),
  ...mutationsOf('cli/tasks/differences.ts', SPECS, [
    [
      'if (altered.length > 0 || recorded.unjudged !== undefined) return { altered, notices };',
      'if (recorded.unjudged !== undefined) return { altered: [], notices };',
      'a record that nobody judged may be altered',
    ],
  ]),
  ...mutationsOf('cli/tasks/judge.ts', SPECS, [
    [
      "asked === 'of its run' || recorded.unjudged !== undefined",
      "asked === 'of its run'",
      'a record is completed with the waivers of another configuration',
    ],
  ]),
  ...mutationsOf(
    'cli/tasks/line-faults.ts',
    ['cli/tasks/edited-summary.spec.ts'],
    [
      [
        'unjudged === undefined && complete !== end.complete',
        'complete !== complete',
        'a run that was cut short may say that it was complete',
      ],
    ],
  ),
  ...mutationsOf(
    'cli/tasks/record-lines.ts',
    ['cli/tasks/edited-lines.spec.ts'],
    [['if (isOfTarget) return;', 'return;', 'exchanges may be of another host than the target']],
  ),
  ...mutationsOf(
    'cli/tasks/seal.ts',
    ['cli/tasks/seal.spec.ts', 'cli/tasks/edited-summary.spec.ts'],
    [
      [
        'if (tornLines > 0) return undefined;',
        '',
        'a record is sealed whose last exchange is torn',
      ],
      [
        'head === recordedHead',
        'head !== undefined',
        'a file that was replaced in the middle of a run is sealed',
      ],
    ],
  ),
];
