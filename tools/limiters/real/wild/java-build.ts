import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, need } from './installing.ts';
import { JAVA_PROJECT, JAVA_SOURCE } from './java-source.ts';

/** Fetches the libraries, compiles the server, and answers its class path. */
export async function buildJava(folder: string, signal: AbortSignal): Promise<string> {
  await need('javac', ['-version'], 'apt-get install default-jdk-headless', signal);
  await need('mvn', ['--version'], 'apt-get install maven', signal);
  writeFileSync(join(folder, 'pom.xml'), JAVA_PROJECT);
  writeFileSync(join(folder, 'Limiters.java'), JAVA_SOURCE);
  const classPath = [folder, join(folder, 'lib', '*')].join(':');
  await build(
    [
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
      ['javac', '-cp', classPath, 'Limiters.java'],
    ],
    folder,
    signal,
  );
  return classPath;
}
