/**
 * What a value that the document excludes can be read as. Lenient services take some of them, and
 * whether that harms anybody depends on whether there was anything to guess.
 */

/**
 * What the document says of a field: what it holds, and whether money goes where it says. `list` is
 * the `data` of a trade.
 */
export interface FieldRow {
  readonly kind: 'address' | 'amount' | 'chain' | 'percent' | 'boolean' | 'list' | 'text' | 'texts';
  readonly money: boolean;
  readonly required: boolean;
  /** Whether who serves a request without it, or with null there, makes it up, and builds for that. */
  readonly madeUp?: true;
}

/**
 * `guess`: nothing says what is meant by it, so that who takes it fills in something of his own ·
 * `exact`: what the plain request says, in another type or form than the one stated · `open`: it may
 * be read as if it were absent or spelt rightly, so nothing is said of who takes it.
 */
export type Sense = 'guess' | 'exact' | 'open';

/**
 * The sense of a value in place of another one.
 *
 * @param value undefined if the field was left out
 * @param plain what the same request holds there without the defect; undefined if it is not known
 */
export function senseOf(row: FieldRow, value: unknown, plain: unknown): Sense {
  // An optional field that is null is absent to many, and so is an empty text.
  const isAbsent = value === undefined || value === null;
  if (isAbsent) return row.required ? 'guess' : 'open';
  if (!row.required && typeof value === 'string' && value.trim() === '') return 'open';
  return SENSES[row.kind](value, plain);
}

type SenseOfKind = (value: unknown, plain: unknown) => Sense;

const SENSES: Readonly<Record<FieldRow['kind'], SenseOfKind>> = {
  address: (value) => (typeof value === 'string' && isLooselyAddress(value) ? 'open' : 'guess'),
  amount: (value, plain) =>
    typeof value === 'string' && FRACTION.test(value)
      ? 'guess'
      : numberSense(value, plain, isAmount),
  chain: (value, plain) => numberSense(value, plain, isChain),
  percent: (value, plain) => numberSense(value, plain, isPercent),
  boolean: booleanSense,
  list: (value) => (Array.isArray(value) ? 'open' : 'guess'),
  text: (value) => (typeof value === 'string' ? 'open' : 'guess'),
  texts: (value) => (Array.isArray(value) || typeof value === 'string' ? 'open' : 'guess'),
};

/** Longer texts are judged by nobody. */
const MAX_CHARACTERS = 200;

/** An address with white space around it, or without its 0x, is one to many readers. */
function isLooselyAddress(text: string): boolean {
  return text.length <= MAX_CHARACTERS && /^\s*(?:0x)?[0-9a-f]{40}\s*$/i.test(text);
}

/** By its text, since a float holds no fraction of large amounts. */
const FRACTION = /^\s*[+-]?\d+\.\d{0,100}[1-9]\d*\s*$/;

const isAmount = (value: number): boolean => value >= 0 && Number.isInteger(value);
const isChain = (value: number): boolean => value > 0 && Number.isInteger(value);
const isPercent = (value: number): boolean => value >= 0 && value <= 100;

const SPELT = /^\s*[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?|0x[0-9a-f]+)\s*$/i;

function numberSense(
  value: unknown,
  plain: unknown,
  isPossible: (value: number) => boolean,
): Sense {
  // A list of one is its element to languages that turn all into numbers.
  if (Array.isArray(value)) return 'open';
  const meant = numberIn(value);
  if (meant === undefined) return isOtherwiseNumeric(value) ? 'open' : 'guess';
  if (!isPossible(meant)) return 'guess';
  // Other than what the plain request says, or the same in its own form: white space, zeros.
  if (plain === undefined || meant !== numberIn(plain)) return 'open';
  const isOwnForm = typeof value === typeof plain && isPlainlySpelt(value);
  return isOwnForm ? 'open' : 'exact';
}

/** The number that a value is or spells, as closely as a float holds it. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS || !SPELT.test(value)) {
    return undefined;
  }
  return Number(value.trim().replace(/^\+/, ''));
}

/** Long runs of digits, and those of other scripts, which some libraries read. */
function isOtherwiseNumeric(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return /^\p{Nd}+$/u.test(value.slice(0, MAX_CHARACTERS));
}

function isPlainlySpelt(value: unknown): boolean {
  return typeof value !== 'string' || /^\s*\+?\d+\s*$/.test(value);
}

function booleanSense(value: unknown, plain: unknown): Sense {
  if (value === 'true' || value === 'false') {
    return plain === (value === 'true') ? 'exact' : 'open';
  }
  return value === 0 || value === 1 ? 'open' : 'guess';
}
