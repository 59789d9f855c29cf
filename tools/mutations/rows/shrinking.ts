/** Long because it is a table. */

import { mutationsOf, type Mutation } from '../mutation.ts';

const MINIMISE = 'suites/properties/minimise.spec.ts';

/** Generated requests, and the smallest of them that show what is broken. */
export const SHRINKING_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'suites/properties/minimise.ts',
    [MINIMISE],
    [
      [
        "return isAsBefore || isFree ? before.purpose : { kind: 'unknown' };",
        'return before.purpose;',
        'half a route is still called valid when it is shrunk',
      ],
      [
        "return differences(changed, before).length === 0 ? before.purpose : { kind: 'unknown' };",
        'return before.purpose;',
        'a probe is about the same although what it asked about is gone',
      ],
      [
        'spent + candidate.length + reserve > mostRequests',
        'spent + candidate.length > mostRequests',
        'nothing is left to send the smallest request again',
      ],
      [
        'standings.has(standingOf(request)) && (!isUnseen',
        '(!isUnseen',
        'a request whose defect is gone is sent in its place',
      ],
      [
        '(!isUnseen(request) || unseen.has(nameOf(request)))',
        'request !== undefined',
        'a request that may have lost a defect that no contract sees is sent in its place',
      ],
      [
        '    if (!(await sendAll(candidate))) return false;\n',
        '    await sendAll(candidate);\n',
        'what does not show it any more is taken for smaller',
      ],
      [
        '      if (await sendAll(current)) times += 1;',
        '      await sendAll(current);\n      times += 1;',
        'it is reported to show each time, whether it does or not',
      ],
      [
        'if (current.length > 1) await attempt(current.filter((one) => one !== shown));',
        'if (current.length > 1) await attempt(current.filter((one) => one === shown));',
        'of several requests all but one are left out at once',
      ],
      [
        '(field) => !bound.has(field) && !lists.some((list) => field.startsWith(list)),',
        '(field) => !lists.some((list) => field.startsWith(list)),',
        'the field that two requests are compared by is put back',
      ],
      [
        "filter((field) => field !== 'path' && field !== 'method');\n}",
        "filter((field) => field !== 'path');\n}",
        'the method is reported as a field that was changed',
      ],
      [
        'reproduced.times < reproduced.of && plain !== undefined',
        'plain !== undefined',
        'what shows each time is tried again in the plain request',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/simpler-values.ts',
    [MINIMISE, 'suites/properties/simpler-values.spec.ts'],
    [
      [
        'value.length < 2 || isObject(item)',
        'value.length < 1 || isObject(item)',
        'the last item of a list is left out, too',
      ],
      [
        'if (next === undefined || !isShared) return undefined;',
        'if (next === undefined) return undefined;',
        'a value in which the requests differ is made one',
      ],
      [
        "purpose.kind === 'valid' ? { kind: 'unknown' } : purpose",
        'purpose',
        'a made-up amount is still called valid',
      ],
      [
        'if (tried !== undefined && value !== tried) least = tried.length;',
        '',
        'the same amount is tried again and again',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/units.ts',
    ['suites/properties/units.spec.ts'],
    [
      [
        '[[...fields], rest, whole, ...rest.map((field) => [field]), ...parts]',
        '[rest, whole, ...rest.map((field) => [field]), ...parts]',
        'all fields are never put back at once',
      ],
      [
        'unit.length === 0 || seen.has(key)',
        'unit.length === 0',
        'the same fields are put back twice',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/service/field-groups.ts',
    ['suites/properties/units.spec.ts'],
    [
      [
        '/^body\\/(srcToken|srcChainId|amount)$/',
        '/^body\\/(srcToken|srcChainId)$/',
        'the token of a route is changed without its amount',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/drive/tried-request.ts',
    ['suites/properties/fields.spec.ts'],
    [
      [
        'isObject(json) && JSON.stringify(json) === text',
        'isObject(json)',
        'a key that is given twice is lost on the way',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/fields.ts',
    ['suites/properties/fields.spec.ts'],
    [
      [
        "if (isOpaque && name.startsWith('body/')) return 'body';",
        '',
        'fields of an object are put into what is none',
      ],
      [
        'return place(other) - place(one);',
        'return place(one) - place(other);',
        'dropping an entry moves those after it',
      ],
      [
        "key.replaceAll('~', '~0').replaceAll('/', '~1')",
        "key.replaceAll('/', '~1')",
        'a key with a tilde is taken for another one',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/coverage.ts',
    ['suites/properties/coverage.spec.ts'],
    [
      ['.sort((a, b) => a - b)', '', 'a pair of features is another one in another order'],
      [
        'choice < FINE ? String(choice)',
        'choice <= FINE ? String(choice)',
        'choices of one class are reported apart',
      ],
      ["if (choice >= listed) return 'beyond';", '', 'every random choice is a feature of its own'],
    ],
  ),
  ...mutationsOf(
    'suites/properties/cases.ts',
    ['suites/properties/cases.spec.ts'],
    [
      ['if (this.#made.has(bytes)) return false;', '', 'the same request is made twice'],
      [
        'const usual = number % UNUSUAL_EVERY !== 0;',
        'const usual = number % UNUSUAL_EVERY === 0;',
        'most cases are what a service may refuse',
      ],
      [
        '.sort((a, b) => b.score - a.score)',
        '.sort((a, b) => a.score - b.score)',
        'the case with the least that is new is taken',
      ],
      [
        'const random = createRandom(hashOf(name) ^ this.#seed);',
        'const random = createRandom(this.#seed);',
        'every case of a seed makes the same choices',
      ],
      [
        'const kind = number % 3;',
        'const kind = number % 2;',
        'no choice of a case is ever moved by one',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/reproducer.ts',
    ['suites/properties/reproducer.spec.ts'],
    [
      [
        'const key = fresh.get(value) ?? random.uuid();',
        'const key = random.uuid();',
        'two requests with one key get two',
      ],
      [
        'own === undefined ? group : `${group}-${own}`',
        'group',
        'several groups of a relation become one',
      ],
      [
        'last?.every((one) => momentOf(one) === moment)) last.push(request)',
        'last !== undefined) last.push(request)',
        'requests of two moments are sent at once',
      ],
      [
        'filter(({ status, throttled }) => status > 0 && !throttled)',
        'filter(({ status }) => status > 0)',
        'a throttled answer counts as a refusal',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/service-errors.ts',
    ['suites/properties/service-errors.spec.ts'],
    [
      [
        'return exchanges.every(({ outcome }) => {',
        'return exchanges.some(({ outcome }) => {',
        'one error among answers counts as an error each time',
      ],
      [
        'status >= 500 && status !== NOT_IMPLEMENTED',
        'status >= 500',
        'what is not implemented is an error of the service',
      ],
      [
        "['valid', 'probe'].includes(purpose.kind)",
        "['valid', 'probe', 'unknown'].includes(purpose.kind)",
        'a request that nobody obliges the service to take accuses it',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/properties/answer-kind.ts',
    ['suites/properties/answer-kind.spec.ts'],
    [
      [
        "DATA.test(name) ? '*' : name.slice",
        'DATA.test(name) ? name : name.slice',
        'every address makes a kind of answer of its own',
      ],
      [
        'listOf(value).slice(0, MAX_ENTRIES)',
        'listOf(value)',
        'a longer list is another kind of answer',
      ],
    ],
  ),
  ...mutationsOf(
    'fixtures/arbitraries/still-meant.ts',
    ['fixtures/arbitraries/still-meant.spec.ts'],
    [
      [
        "=== (kind === 'valid')",
        "=== (kind !== 'valid')",
        'requests that are what they are meant to be are discarded',
      ],
      [
        "if (isEncoded(headers)) return 'unparsable';",
        '',
        'a body that claims a coding which it has not is taken for JSON',
      ],
      [
        "if (kind !== 'valid' && kind !== 'invalid') return true;",
        "if (kind === 'unknown') return true;",
        'probes are held to the contract',
      ],
    ],
  ),
];
