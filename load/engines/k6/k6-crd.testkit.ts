import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';

type Json = Readonly<Record<string, unknown>>;

/** The CRD's schema, its objects closed: the cluster drops a field that it does not know, without a word. */
function closedSchema(): Json {
  const file = path.join(import.meta.dirname, '../../../fixtures/k6-operator/testrun.testkit.json');
  const closed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closed);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value as Json).map(([key, one]) => [key, closed(one)] as const);
    const isClosable = 'properties' in value && !('additionalProperties' in value);
    // Whatever is called `properties` here is a schema's member: no object of the CRD has such a field.
    return Object.fromEntries([
      ...members,
      ...(isClosable ? [['additionalProperties', false]] : []),
    ]);
  };
  return closed(JSON.parse(readFileSync(file, 'utf8'))) as Json;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const validate = ajv.compile(closedSchema());

/** What is wrong with a TestRun, by the CRD. */
export function faultsOf(testRun: unknown): string[] {
  validate(testRun);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}
