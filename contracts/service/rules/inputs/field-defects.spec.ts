import { expect, test } from 'vitest';
import { EXCLUDED_INPUT } from './excluded-inputs.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const ID = 'zap.requests.field-defects-are-client-errors';

const quote = (role: string, group = 'g'): WireSketch => ({
  ...{ method: 'POST', path: '/v1/quote' },
  relations: [{ kind: EXCLUDED_INPUT, group, role }],
});
const plain = (status = 200): WireSketch => ({ ...quote('plain'), sent: { account: 'a' }, status });
const defective = (status: number, code = 'A'): WireSketch => ({
  ...{ ...quote('defect'), sent: {}, status, text: JSON.stringify({ code }) },
  purpose: { kind: 'invalid', defect: 'missing account' },
});

test.each<[is: string, verdict: string, sketches: readonly WireSketch[]]>([
  ['refused', 'pass', [plain(), defective(400)]],
  ['refused, as it is without the defect', 'not-reached', [plain(400), defective(400)]],
  ['refused, and nothing was asked without the defect', 'not-reached', [defective(400)]],
  ['failing', 'warn /', [plain(), defective(500), defective(500)]],
  ['failing at the first time only', 'pass', [plain(), defective(500), defective(400)]],
  ['failing, as it does without the defect', 'not-reached', [plain(500), defective(500)]],
  ['failing once if others fail, too', 'not-reached', [plain(), plain(500), defective(500)]],
  [
    'failing each time where others fail now and then',
    'warn /',
    [plain(), plain(500), defective(500), defective(500)],
  ],
  ['failing behind a gateway', 'warn /', [plain(), defective(502)]],
  [
    'failing behind a gateway that fails elsewhere',
    'not-reached',
    [plain(), plain(502), defective(502)],
  ],
  ['during an outage', 'not-reached', [plain(), defective(503)]],
])('a field that is missing is %s', (_, verdict, sketches) => {
  expect(verdictOf(ID, ...sketches)).toBe(verdict);
});

test('a flag that is taken for false makes a simulation, which may fail', () => {
  const build: WireSketch = { api: 'trade', method: 'POST', path: '/v1/buildTx' };
  const served: WireSketch = { ...build, ...plain(), ...build };
  const failing = (defect: string): WireSketch => ({
    ...{ ...defective(500), ...build },
    purpose: { kind: 'invalid', defect },
  });
  const id = 'trade.requests.field-defects-are-client-errors';
  expect(verdictOf(id, served, failing('mistyped disableEstimation, null'))).toBe('not-reached');
  expect(verdictOf(id, served, failing('mistyped gasless, null'))).toBe('warn /');
});
