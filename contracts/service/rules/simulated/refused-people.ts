/** Whether a contract refuses people whom it does not know, as pools for registered holders do. */

/** Words that say so. */
const WORDS: readonly RegExp[] = [
  /\b(?:not|only|non)[ -](?:\w+[ -]){0,3}?(?:verified|registered|(?:white|allow)-?listed|allowed|permitted|authori[sz]ed|eligible|accredited)\b/i,
  /\bun(?:authori[sz]ed|verified|registered)\b/i,
  /(?:white|allow)-?list/i,
  /\bkyc\b|\baccess ?denied\b|\bforbidden\b|\baccess ?control\b/i,
];

/**
 * Selectors of errors that say so: Unauthorized, NotAuthorized, NotWhitelisted, NotAllowed, NotAllowlisted,
 * OnlyWhitelisted, CallerNotAllowed, NotVerified, NotRegistered, NotPermitted, NotEligible, Forbidden, AccessDenied
 * and NotKYCed, each of nothing and of an address; those of OpenZeppelin's access control.
 */
const ERRORS =
  /\b0x(?:82b42900|8e4a23d6|ea8e4eb5|4a0bfec1|584a7938|df17e316|3d693ada|fa5cd00f|06fb10a9|6f7a5275|86200b00|91d86b6f|2af07d20|e7557a52|a95362b5|b12c8f91|aba47339|bfc6c337|39218f3b|cd8ec838|f8eb54de|3a1c1545|ee90c468|a59d7f4d|4ca88867|0504a20d|6b95d2f3|ed0f3a1b|e2517d3f|118cdaa7)\b/i;

/** Words of what is no matter of people, unless some are named beside them. */
const OTHER = /\b(?:slippage|deadline|expired|amounts?|liquidity)\b/i;
const PEOPLE =
  /\b(?:callers?|senders?|recipients?|receivers?|accounts?|users?|holders?|investors?|address(?:es)?|kyc)\b|(?:white|allow)-?list|\bun(?:verified|registered)\b/i;

/** Whether that is one way to read it. @param why a transaction fails, as the node and its contract say: at most some hundred characters */
export function refusesPeople(why: string): boolean {
  if (OTHER.test(why) && !PEOPLE.test(why)) return false;
  return ERRORS.test(why) || WORDS.some((words) => words.test(why));
}
