/** Long because it is a table. */

import { mutationsOf, type Mutation } from '../mutation.ts';

/** What the drive sends, and what it makes of the answers. */
export const DRIVE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'suites/drive/relation-checker.ts',
    ['suites/drive/relation-checker.spec.ts'],
    [
      [
        "Array.from('ABBABAABBAABABBA', (role)",
        "Array.from('ABABABABABABABAB', (role)",
        'a service that takes turns keeps step with the repetitions',
      ],
      [
        'sent < 2 * MIN_CERTAIN_ANSWERS',
        'sent < MIN_CERTAIN_ANSWERS',
        'what is broken each time never becomes certain',
      ],
      [
        'repeated >= MAX_REPEATED ||',
        'repeated > MAX_REPEATED ||',
        'a relation is repeated once more than is allowed',
      ],
      [
        'if (view.status === 0 || view.throttled) return reported;',
        'if (view.status === 0) return reported;',
        'a throttled answer counts as a refusal',
      ],
      [" && answer.role !== 'C'", '', 'the control shifts the order of the repetitions'],
      [
        '      if (this.#broken.has(row.id)) continue;\n',
        '',
        'what is known to be broken is repeated again',
      ],
      [
        '    if (!isServed(served)) return served;\n',
        '',
        'others are asked for although the first request was refused',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/drive/input-watch.ts',
    ['suites/drive/input-watch.spec.ts'],
    [
      [
        'if (form !== null) taken.add(`${row.id} ${operation} ${form}`);',
        'if (form === null) taken.add(row.id);',
        'no input is ever taken off the list of those to ask for',
      ],
      [
        "operation === undefined || purpose.kind === 'invalid'",
        'operation === undefined',
        'what was served of a wrong request counts as taken',
      ],
      [
        'if (successJson(exchange) === undefined) return;',
        'if (successJson(exchange) === null) return;',
        'a refused input counts as taken',
      ],
      [
        'taken.has(`${id} ${operation} ${form}`)',
        '[...taken].some((one) => one.startsWith(`${id} ${operation}`))',
        'one input of a field counts for all of them',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/drive/burst.ts',
    ['suites/drive/burst.spec.ts'],
    [
      ['sent + WAVE <= most', 'sent <= most', 'a wave goes beyond the budget'],
      [
        'known.throttled ||= isRejected(exchange);',
        'known.throttled = isRejected(exchange);',
        'an earlier rejection is forgotten',
      ],
      [
        'left + WAVE > MOST ? BLIND : left + WAVE',
        'left + WAVE > MOST ? BLIND : left',
        'the burst ends at the limit, not beyond it',
      ],
      ['throttled || !isOwn(url)', 'throttled', 'the target of somebody else meets a burst'],
      [
        'Math.min(...reported)',
        'Math.max(...reported)',
        'of two limits the wider one is reckoned with',
      ],
      [
        'exchanges.length < WAVE || tookMs > MAX_WAVE_MS',
        'exchanges.length < WAVE',
        'a wave that a rate holds back counts as a burst',
      ],
      [
        'status > 299 || isRepeat',
        'status > 299',
        'a request that its key answers is sent as the burst',
      ],
      ['  if (!isBare) return;\n', '', 'what a key has left is taken for what an address has left'],
    ],
  ),
  ...mutationsOf(
    'suites/drive/contract.ts',
    ['suites/drive/contract.spec.ts'],
    [
      [
        "method === 'POST' ? 1 : 2",
        "method === 'POST' ? 2 : 1",
        'what needs ids comes before what makes them',
      ],
      [
        "!NOT_THERE.includes(status) || pathTemplate.includes('{')",
        '!NOT_THERE.includes(status)',
        'one id that is not known ends the asking of its operation',
      ],
      [
        'if (isAbsent(answer) && places.prefixes.length === 1) {',
        'if (places.prefixes.length === 1) {',
        'an operation that is not allowed is asked once more',
      ],
      [
        'const isKnown = place.isKnown || !NOT_ALLOWED',
        'const isKnown = place.isKnown && !NOT_ALLOWED',
        'a place where an operation has answered is still looked for',
      ],
      [
        "isKnown ? request.purpose : ({ kind: 'probe', about } as const)",
        'request.purpose',
        'an answer at a place that is none of the operation counts as its own',
      ],
      [
        'request === undefined || operation === undefined || left <= 0',
        'request === undefined || operation === undefined',
        'the budget of a contract holds for plain requests alone',
      ],
      [
        '  known.note(pathTemplate, successText(answer));\n',
        '',
        'what an operation reported is not used for the next one',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/service/drive/error-codes.ts',
    ['suites/service/drive/error-codes.spec.ts'],
    [
      [
        'body ??= served;',
        'body = served;',
        'the second time another request is made wrong than the first time',
      ],
      [
        'requestOf(contract, id, body);',
        'requestOf(contract, id, {});',
        'all fields are missing, and not one of those that were served',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/drive/failures.ts',
    ['suites/drive/failures.spec.ts'],
    [
      [
        '      failing.delete(key);\n',
        '',
        'what was answered otherwise since is asked again all the same',
      ],
      [
        'one.answers.length < certainAfter(one.answers) && left > 0',
        'one.answers.length < certainAfter(one.answers)',
        'asking again takes more than it may',
      ],
      [
        'one.isValid && between === undefined',
        'between === undefined',
        'a wrong request that fails is not sent again',
      ],
      [
        '(asked.get(turnOf(one)) ?? 0) >= MAX_OF_A_KIND',
        '(asked.get(turnOf(one)) ?? 0) > MAX_OF_A_KIND',
        'one more of a kind is asked again',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/drive/asked-again.ts',
    ['suites/drive/failures.spec.ts'],
    [
      [
        "const isOwn = !hasCredential || (isKeyed && session.keyedCredential !== 'none');",
        'const isOwn = !hasCredential || hasCredential;',
        'a credential that is not the session’s own is sent again',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/drive/refusals.ts',
    ['suites/drive/refusals.spec.ts'],
    [
      [
        'one.refusals >= MIN_EPISODES',
        'false',
        'what is known to be refused at times is asked again all the same',
      ],
      ['known.add(kind);', '', 'another of a kind is sent often'],
      ['one.served = undefined;', '', 'what was deleted is asked for again and again'],
    ],
  ),
  ...mutationsOf(
    'suites/drive/known-values.ts',
    ['suites/drive/known-values.spec.ts'],
    [
      [
        "plain === 'id' ? idsOf(collection) : plain",
        'plain',
        'the ids of one collection are asked for in another',
      ],
      ['values.size < MAX_VALUES', 'values.size <= MAX_VALUES', 'a value more is kept'],
      [
        'if (left <= 0 || levels <= 0) return;',
        'if (left <= 0) return;',
        'a deep answer is followed to its end',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/service/session/largest-of-kinds.ts',
    ['suites/service/session/largest-of-kinds.spec.ts'],
    [
      [
        'amount > known.amount',
        'amount < known.amount',
        'the request with the smallest answer is chosen',
      ],
      [
        '!pair.some((one) => one === asked)',
        '!pair.every((one) => one === asked)',
        'a slippage is held against itself',
      ],
    ],
  ),
  ...mutationsOf(
    'suites/service/session/world.ts',
    ['suites/service/session/world.spec.ts'],
    [
      [
        "[type, 'unknown'].includes(provider.type)",
        'provider.type === type',
        'hints of providers fit no type',
      ],
      [
        'tokens.filter(isEvmAddress).length >= 2',
        'tokens.filter(isEvmAddress).length >= 1',
        'a pool of one token is asked for a route',
      ],
      [
        'known.size < MAX_LEARNED.assets || known.has(key)',
        'known.size < MAX_LEARNED.assets || !known.has(key)',
        'what is learned has no bound',
      ],
      ['Number(price) > 0', 'Number(price) >= 0', 'an unknown price is one of 0'],
    ],
  ),
  ...mutationsOf(
    'suites/drive/session.ts',
    ['suites/drive/session.spec.ts'],
    [
      [
        '    session.repetitionsLeft -= 1;\n',
        '',
        'a service that stays away is asked again without an end',
      ],
      [
        '      session.repetitionsLeft = count;\n',
        '',
        'what another session repeats is not counted',
      ],
      [
        'attempts < MAX_ATTEMPTS && isOutage',
        'attempts <= MAX_ATTEMPTS && isOutage',
        'an outage is given a chance more',
      ],
      [
        'status < 200 || status > 299',
        'status < 200 || status > 399',
        'the body of a redirect is taken for an answer',
      ],
    ],
  ),
];
