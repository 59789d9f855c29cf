import { mutationsOf, type Mutation } from '../mutation.ts';

const CASES = 'fixtures/service/cases/judged-cases.spec.ts';
const ZAP = 'contracts/service/rules/zap/response';
const ROUTES = `${ZAP}/routes.spec.ts`;
const EVIDENCE = `${ZAP}/evidence.spec.ts`;
const TRADE = 'contracts/service/rules/trade';

/** The rules on routes and builds, where money is lost. */
export const ZAP_RULE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${ZAP}/min-return.ts`,
    [EVIDENCE, `${ZAP}/omissions.spec.ts`, ROUTES, CASES],
    [
      [
        'minReturn + ROUNDING >= least',
        'minReturn >= least',
        'a guarantee that was rounded down is broken',
      ],
      [
        'if (amount - least > ROUNDING) broken ??= [];',
        'broken ??= [];',
        'an amount whose slippage rounding hides is evidence',
      ],
      [
        'leastReturn(amount, USUAL_DEFAULT) ?? amount) + ROUNDING < amount',
        'leastReturn(amount, USUAL_DEFAULT) ?? amount) <= amount',
        'an amount of which half a percent is nothing is evidence',
      ],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/approval.ts`,
    [EVIDENCE, ROUTES, `${ZAP}/path-ends.spec.ts`, CASES],
    [
      [
        'asked.slippage === 0 ? null : []',
        '[]',
        'an approval of what slippage leaves is not excluded, and still evidence',
      ],
      [
        '  if (asked.body.permit !== undefined) return null;\n',
        '',
        'an approval that a permit makes needless is missed',
      ],
      [
        'route.steps.length === 0 || !isObject(approvalData)',
        '!isObject(approvalData)',
        'where nothing is done an approval is judged',
      ],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/native-value.ts`,
    [`${ZAP}/native-value.spec.ts`],
    [
      ['sent += value;', 'sent = value;', 'only the last step is counted'],
      ['if (sent >= amount)', 'if (sent > amount)', 'what was asked for exactly is too little'],
      ['route.asked.slippage === 0 ? null : []', '[]', 'what slippage leaves is not excluded'],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/path-ends.ts`,
    [`${ZAP}/path-ends.spec.ts`, EVIDENCE, CASES],
    [
      [
        "action !== 'swap' && !crosses(last)",
        "action !== 'swap'",
        'a bridge may end in another token',
      ],
      [
        'steps.findLast(({ output }) => output.length > 0)',
        'steps.at(-1)',
        'a last step that states no output hides where a route ends',
      ],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/amount-out.ts`,
    [`${ZAP}/path-ends.spec.ts`, EVIDENCE, CASES],
    [
      [
        'stated < most && stated + fees >= last',
        'stated < most',
        'more than the fees may be missing from what a route yields',
      ],
      [
        'amountText !== yielded || minReturnText !== yielded',
        'true',
        'a route in which all amounts are one is evidence',
      ],
      ['all += given - taken;', 'all += given;', 'what later steps take is yielded, too'],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/path-flow.ts`,
    [`${ZAP}/path-flow.spec.ts`, EVIDENCE, CASES],
    [
      ['besides += paid + left;', 'besides += paid;', 'dust counts as not spent'],
      [
        'amount > SMALLEST_JUDGED * rounding ? [] : null',
        '[]',
        'an amount that rounding hides is evidence',
      ],
      [
        'const isLast = index === steps.length - 1;',
        'const isLast = index === steps.length;',
        'what the last step yields counts as lost',
      ],
      ['const isLater = index > after;', 'const isLater = index >= after;', 'a step feeds itself'],
      [
        '      if (step.output.some((other) => other !== entry && other.key === key)) continue;\n',
        '',
        'each of two outputs of one asset is held against all that is taken',
      ],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/zap-flow.ts`,
    [`${ZAP}/path-flow.spec.ts`, `${ZAP}/zap-order.spec.ts`, CASES],
    [
      [
        'had > entry.amount ? had - entry.amount : 0n',
        'had',
        'what a step takes is there for the next one as well',
      ],
      [
        'drawn += entry.amount - had;',
        'drawn += entry.amount;',
        'what came back of the source counts as drawn from it',
      ],
      [
        'input.length === 1 || !isNativeKey(entry.key)',
        'input.length >= 1',
        'the fee of a bridge, paid beside, is a shortfall',
      ],
      [
        'asset?.decimals !== coin?.decimals',
        'asset === coin',
        'an asset with other decimals wraps the native token',
      ],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/usd.ts`,
    [ROUTES, EVIDENCE, `${ZAP}/zap-response.spec.ts`, CASES],
    [
      [
        'CENT + tokens * lastDigitOf(price)',
        'CENT + lastDigitOf(price)',
        'the rounding of a price counts once instead of for each token',
      ],
      [
        'deviation.worth > SMALLEST_JUDGED || deviation.isOff',
        'deviation.worth >= 0',
        'an amount that is worth nothing is evidence',
      ],
    ],
  ),
  ...mutationsOf(
    `${ZAP}/zap-order.ts`,
    [`${ZAP}/zap-order.spec.ts`, `${ZAP}/path-order.spec.ts`],
    [
      [
        'unfed === undefined || !feeding.canBeOrdered()',
        'unfed === undefined',
        'a route that no order feeds is out of order',
      ],
      [
        '  if (!strict.isLinked()) return null;\n',
        '',
        'steps side by side are evidence of an order',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/service/rules/trade/trade-relations.ts',
    ['contracts/service/rules/trade/trade-relations.spec.ts'],
    [
      [
        'distance * 1_000n <= a.destAmount',
        'distance * 10n <= a.destAmount',
        'a tenth may be lost over the letter case of an address',
      ],
      [
        'if (b.destAmount > a.destAmount) return undefined;',
        'if (b.destAmount >= a.destAmount) return undefined;',
        'a service that quotes one amount for every other is not reported',
      ],
      [
        'a.destAmount / 20n + 1n',
        'a.destAmount + 1n',
        'a pair of a batch may be quoted for anything',
      ],
      [
        "readings.includes('as asked') && !readings.includes('too small to judge')",
        "readings.includes('as asked')",
        'an amount that is too small to judge is evidence',
      ],
    ],
  ),
  ...mutationsOf(
    `${TRADE}/trade-build-response.ts`,
    [`${TRADE}/trade-build-response.spec.ts`, `${TRADE}/trade-verdicts.spec.ts`, CASES],
    [
      [
        'nameParts.push(key, String(fields.amount));',
        'nameParts.push(key, typeof fields.amount);',
        'builds of two amounts may have one id',
      ],
      [
        "headerOf(view.exchange.request.headers, 'idempotency-key') ?? ''",
        "headerOf(view.exchange.request.headers, 'idempotency') ?? ''",
        'a replay under a key must have an id of its own',
      ],
      [
        'const isOther = seen.size > 0 && !seen.has(keyOf(name.fact));',
        'const isOther = seen.size > 0;',
        'builds of one request are evidence of ids that differ',
      ],
      ['if (asked.size > 1) return null;', '', 'a batch without quotes is reported twice'],
    ],
  ),
];
