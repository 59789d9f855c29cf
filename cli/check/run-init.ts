import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { baseUrlOf, baseUrlsOf, type TargetConfig } from '../../target/config/config.ts';
import { readNamedConfig } from '../config.ts';
import { makeFolder } from '../../target/record/make-folder.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { notify } from '../output.ts';
import { APIS } from '../apis.ts';
import { ciFile, type CiKind, ciOf, includeOf, type NewFile } from './ci-file.ts';
import { tool } from '../package.ts';
import {
  installedFrom,
  isOfThisMachine,
  specIn,
  withDevDependency,
  writeLockfile,
} from './dev-dependency.ts';
import { type PackageManager, projectOf } from './project.ts';

const MANIFEST = 'package.json';

/**
 * Writes a configuration into the working directory and a CI file into the root of its repository, from what can be
 * found out there, and has its package.json name if this package was installed from, if it does not.
 *
 * @throws UsageError when a file would be overwritten, or package.json is none
 * @throws ConfigError when a URL is none
 */
export async function init(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const cwd = process.cwd();
  // An own folder would be read for a configuration, which is what is to be written.
  const config = await readNamedConfig({ flags, env: process.env, cwd, defaultSeed: 0 });
  const project = projectOf(cwd);
  const kind = (flags.ci as CiKind | undefined) ?? ciOf(project);
  const files = [configurationFile(config), ciFile(kind, cwd, project)];
  const there = files.filter(({ path }) => isThere(join(cwd, path))).map(({ path }) => path);
  if (there.length > 0) {
    throw new UsageError(`${there.join(' and ')} is there already; nothing was written.`);
  }
  const spec = installedFrom(cwd);
  const manifest = join(cwd, MANIFEST);
  const added = withDevDependency(
    existsSync(manifest) ? readFileSync(manifest, 'utf8') : undefined,
    spec,
  );
  for (const { path, text } of files) {
    makeFolder(dirname(join(cwd, path)));
    writeFileSync(join(cwd, path), text, { flag: 'wx' });
  }
  const wrote = files.map(({ path }) => path).join(' and ');
  notify(`Wrote ${wrote}.${nextStep(config, files, cwd, project.manager)}`);
  if (added !== undefined) {
    writeFileSync(manifest, added);
    notify(`Added ${spec} to the devDependencies of ${MANIFEST}.`);
  }
  if (added !== undefined || !project.isLocked) {
    const { name, lockfiles } = project.manager;
    const how =
      name === 'npm' && (await writeLockfile(cwd))
        ? `npm wrote ${lockfiles[0]}.`
        : `"${name} install" writes ${lockfiles[0]}.`;
    notify(`${how} CI installs by it: keep it in the repository.`);
  }
  const named = specIn(readFileSync(manifest, 'utf8')) ?? spec;
  if (isOfThisMachine(named)) {
    notify(
      `CI has no ${named.slice(5)}: keep the package in the repository, or name a git URL or a URL of a tarball in its place.`,
    );
  }
  return EXIT.conforms;
}

/** A link that leads nowhere is there as well. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function nextStep(
  config: TargetConfig,
  files: readonly NewFile[],
  cwd: string,
  { name, call }: PackageManager,
): string {
  const hasUrl = Object.keys(baseUrlsOf(config)).length > 0;
  const fill = hasUrl ? '' : ' Fill in the URLs of the service in assay.config.yaml.';
  const first = isInstalled(cwd) ? '' : `Once "${name} install" is done, `;
  return `${fill}${includeOf(files)} ${first}"${call} check" checks the service here.`;
}

function isInstalled(cwd: string): boolean {
  try {
    createRequire(join(cwd, MANIFEST)).resolve(`${tool().name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

const URL_WORDS: Readonly<Record<string, string>> = {
  zap: 'http://zap.example',
  trade: 'http://trade.example',
  docs: 'http://docs.example',
  ai: 'http://ai.example',
};

function configurationFile(config: TargetConfig): NewFile {
  const urls = APIS.map((api) => {
    const url = baseUrlOf(config, api);
    return url === undefined ? `# ${api}Url: ${URL_WORDS[api] ?? ''}` : line(`${api}Url`, url);
  });
  const text = `# Where the service is. An API without a URL is not tested.
${urls.join('\n')}

# Other places of the same service: "--env staging" takes these values in place of those above.
# environments:
#   staging:
#     zapUrl: http://zap.staging.example

# The most that a gate may send, and how fast; uncomment to change.
# maxRequests: 1000
# maxSeconds: 600
# maxRate: 20

# Failures that are known, each with who looks after it and until when it is accepted.
# waivers:
#   - { rule: zap.quote.served, reason: being moved, owner: you, expires: 2030-01-31 }

# The key of the trade API comes from the variable ASSAY_TRADE_KEY alone, never from a file.
`;
  return { path: 'assay.config.yaml', text };
}

/** One line of YAML, whatever is in the value. */
function line(key: string, value: string): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
}
