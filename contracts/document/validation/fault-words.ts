import type { DefinedError, ErrorObject } from 'ajv';
import { digitsIn } from '../stated-digits.ts';

/** What an error of ajv expected, for people: `a string`, `at most 3 items`. */
export function inWords(error: DefinedError): string {
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return 'required field';
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
    case 'false schema':
      return 'absent';
    case 'type':
      return [error.params.type].flat().map(typeInWords).join(' or ');
    case 'const':
      return statedIn(error, '') ?? JSON.stringify(error.params.allowedValue);
    case 'enum':
      return `one of ${error.params.allowedValues.map((value, at) => statedIn(error, `/${at}`) ?? valueInWords(value)).join(', ')}`;
    case 'format':
      return `text of format ${error.params.format}`;
    case 'pattern':
      return `text matching ${error.params.pattern}`;
    case 'minLength':
      return `at least ${error.params.limit} characters`;
    case 'maxLength':
      return `at most ${error.params.limit} characters`;
    case 'minItems':
      return `at least ${error.params.limit} items`;
    case 'maxItems':
      return `at most ${error.params.limit} items`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `a number ${error.params.comparison} ${statedIn(error, '') ?? error.params.limit}`;
    case 'multipleOf':
      return `a multiple of ${statedIn(error, '') ?? error.params.multipleOf}`;
    case 'contains':
      return `an item that matches ${JSON.stringify(error.schema)}`;
    case 'anyOf':
      return `any of the ${branchesOf(error)} alternatives`;
    case 'oneOf':
      return `exactly one of the ${branchesOf(error)} alternatives`;
    default:
      return error.message ?? error.keyword;
  }
}

/** A number of the schema as its document has it, if a double does not hold it. */
function statedIn({ keyword, parentSchema }: ErrorObject, pointer: string): string | undefined {
  return parentSchema && digitsIn(parentSchema)?.[`/${keyword}${pointer}`];
}

function typeInWords(type: unknown): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(String(type)) ? `an ${String(type)}` : `a ${String(type)}`;
}

function valueInWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function branchesOf(error: ErrorObject): number {
  return Array.isArray(error.schema) ? error.schema.length : 0;
}
