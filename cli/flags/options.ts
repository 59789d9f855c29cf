/** Single options that several commands have. */

import { Option } from 'commander';

/** `--baseline`, which names the record of an earlier run. */
export function baselineOption(): Option {
  return new Option(
    '--baseline <run>',
    'folder of an earlier run record: what is new, fixed, or otherwise since; it changes no verdict',
  );
}

/** `--known`, which names a file of findings that are known. */
export function knownOption(): Option {
  return new Option(
    '--known <file>',
    'findings that are known, of --write-known: with these alone a check exits 0; it changes no verdict',
  );
}

/** `--prune`, what is to be removed once it is gone. */
export function pruneOption(): Option {
  return severalOption('--prune <what>', 'removes what is gone: known, of the file of --known');
}

/** An option that may be given several times. */
export function severalOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/** An option of words for rules, comma-separated, that may be given several times. */
export function wordsOption(flags: string, description: string): Option {
  return severalOption(flags, `${description}; comma-separated`);
}

/** `--contract`, which may be given several times. */
export function contractOption(): Option {
  return new Option(
    '--contract <[api=]file|url>',
    'OpenAPI document to judge an API by, in place of the built-in operations it also has',
  ).argParser((source: string, sources: readonly string[] | undefined) => [
    ...(sources ?? []),
    source,
  ]);
}

/** `--max-contract-bytes`. */
export function maxContractBytesOption(): Option {
  return new Option(
    '--max-contract-bytes <bytes>',
    'for one file of a contract, and half of what all files may have (default: 8388608)',
  );
}

/** `--allow-ref`, which may be given several times. */
export function allowRefOption(): Option {
  return new Option(
    '--allow-ref <host>',
    'another host that contracts may refer to; may be repeated',
  ).argParser((host: string, hosts: readonly string[] | undefined) => [...(hosts ?? []), host]);
}
