import { type Deviation, type Draft, generatorOf } from '../../fixtures/arbitraries/deviation.ts';
import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import { ofOwnCode } from '../../target/config/own-code.ts';
import { type OwnGenerator, usualOf } from '../../target/config/own-generators.ts';
import { readRequest } from '../../target/config/own-request.ts';

interface ChosenDraft extends Draft {
  readonly chosen: Readonly<Record<string, unknown>>;
}

/** What generates and shrinks the requests of a generator of a configuration. */
export function requestGeneratorOf(own: OwnGenerator): RequestGenerator {
  const { name, api, choices, probe } = own;
  const deviations = Object.entries(choices).map(
    ([field, [, ...others]]): Deviation<ChosenDraft> => {
      const apply = (draft: ChosenDraft, choice: number): ChosenDraft => ({
        ...draft,
        chosen: { ...draft.chosen, [field]: others[choice] },
      });
      return { name: field, listed: others.length, usual: others.length, apply };
    },
  );
  return generatorOf<ChosenDraft>({
    // None of a service begins so.
    name: `own.${name}`,
    plain: {
      unspecified: probe === undefined ? [] : [probe],
      chosen: usualOf(own),
    },
    deviations,
    render: ({ chosen }) => {
      const made = ofOwnCode(`the generator ${name}`, () => readRequest(own.request(chosen)));
      const { method, path, headers, body } = made;
      return {
        ...{ api, method, path },
        ...(headers.length === 0 ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      };
    },
  });
}
