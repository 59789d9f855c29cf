import { describe, expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { clusterName, readClusterFlags, refuseClusterFlags, USUAL_PARTS } from './k8s-flags.ts';

describe('the flags of a run in a cluster', () => {
  test('are read', () => {
    expect(readClusterFlags({ k8s: 'd' })).toEqual({ dir: 'd', parts: USUAL_PARTS });
    expect(
      readClusterFlags({
        ...{ k8s: 'd', parts: '12', engine: 'k6' },
        ...{ k8sSecret: 'assay-keys', k8sNamespace: 'load', k8sClaim: 'results.a' },
      }),
    ).toEqual({
      ...{ dir: 'd', parts: 12 },
      ...{ secret: 'assay-keys', namespace: 'load', resultsClaim: 'results.a' },
    });
  });

  test.each([
    [{ parts: '0' }, /--parts takes a whole number from 1 to 1000, not "0"/],
    [{ parts: '1001' }, /--parts/],
    [{ parts: '2.5' }, /--parts/],
    [{ k8sSecret: 'Not A Name' }, /--k8s-secret takes the name of an object/],
    [{ k8sClaim: '../x' }, /--k8s-claim/],
    [{ k8sNamespace: 'a'.repeat(254) }, /--k8s-namespace/],
    [{ engine: 'open-loop' }, /leave --engine open-loop out/],
    [{ segment: '1/2' }, /without --segment: the operator gives/],
    [{ merge: ['a'] }, /without --merge/],
    [{ embedded: true }, /without --embedded: the cluster cannot reach/],
    [{ out: 'x' }, /without --out/],
    [{ sourceIp: '127.0.0.2' }, /without --source-ip/],
  ])('are refused: %o', (flags, message) => {
    expect(() => readClusterFlags({ k8s: 'd', ...flags })).toThrow(UsageError);
    expect(() => readClusterFlags({ k8s: 'd', ...flags })).toThrow(message);
  });

  test('mean nothing if load is sent from here', () => {
    expect(() => {
      refuseClusterFlags({ k8sClaim: 'x' });
    }).toThrow(/--k8s-claim says how a cluster runs load: give --k8s DIR/);
    refuseClusterFlags({ scenario: 'smoke' });
  });
});

test.each([
  ['per-key', 'assay-per-key'],
  ['Nightly.of_2', 'assay-nightly-of-2'],
  ['a'.repeat(60), `assay-${'a'.repeat(34)}`],
  [`${'a'.repeat(33)}-b`, `assay-${'a'.repeat(33)}`],
  ['...', 'assay'],
])('a scenario named %s is %s in the cluster', (scenario, name) => {
  expect(clusterName(scenario)).toBe(name);
});
