import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An implementation of DSSE that shares no code with ours, and what it checks signatures with. */
const PACKAGES = ['securesystemslib==1.6.0', 'cryptography==50.0.2'];
const PATIENCE_MS = 180_000;

/** If packages of Python are kept between runs, outside of the repository. */
function folder(): string {
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  return join(cache === '' ? join(homedir(), '.cache') : cache, 'assay', 'securesystemslib-1.6.0');
}

/**
 * The Python that has securesystemslib, installed from PyPI when it is first asked for; undefined if
 * that cannot be done.
 *
 * @throws Error if that cannot be done in CI, where it must
 */
export function pythonWithDsse(): string | undefined {
  const dir = folder();
  const python = join(dir, 'bin', 'python');
  try {
    if (!existsSync(join(dir, 'installed'))) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(join(dir, '..'), { recursive: true });
      run('python3', ['-m', 'venv', dir]);
      run(python, ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', ...PACKAGES]);
      mkdirSync(join(dir, 'installed'));
    }
    run(python, ['-c', 'import securesystemslib.dsse, cryptography']);
    return python;
  } catch (error) {
    const { CI } = process.env;
    if (CI !== undefined && CI !== '') throw error;
    return undefined;
  }
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { timeout: PATIENCE_MS, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Verifies an envelope by a key, and the digests of records by what it holds: `CHECK certificate key record…`. */
export const CHECK = `
import hashlib, json, pathlib, sys
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
certificate, key, *records = sys.argv[1:]
envelope = Envelope.from_dict(json.loads(pathlib.Path(certificate).read_text()))
public = SSlibKey.from_crypto(load_pem_public_key(pathlib.Path(key).read_bytes()))
envelope.verify([public], 1)
statement = json.loads(envelope.payload)
digests = {entry["name"]: entry["digest"]["sha256"] for entry in statement["subject"]}
for record in map(pathlib.Path, records):
    id = json.loads((record / "run.json").read_text())["record"]["id"]
    for file in record.iterdir():
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert digests.pop(f"{id}/{file.name}") == digest, file
assert not digests, digests
print(envelope.payload_type, statement["_type"], statement["predicateType"])
`;
