/* global console, process */
// What a run of .ci/run says at its end: each failed test with its message, each test that was tried again,
// the end of what each other failed step printed, and one line of counts. Exits with 1 where anything failed.
// node closing.mjs FOLDER SCRIPT=STEP…: vitest's report of each script is FOLDER/SCRIPT.json, the names of
// the failed steps are in FOLDER/broken, the output of each step in FOLDER/<its name>.log.
import { existsSync, readFileSync } from 'node:fs';

const MAX_LINES = 25;
const [folder, ...pairs] = process.argv.slice(2);
const broken = readFileSync(`${folder}/broken`, 'utf8').split('\n').filter(Boolean);
let passed = 0;
let failed = 0;
const explained = new Set();

/** Where the output of a step is kept. */
function logOf(step) {
  return `${folder}/${step.replaceAll(/[^a-zA-Z0-9]/g, '-')}.log`;
}

function shortened(text, from) {
  const lines = text.trimEnd().split('\n');
  return from === 'end' ? lines.slice(-MAX_LINES) : lines.slice(0, MAX_LINES);
}

for (const pair of pairs) {
  const [script, step] = pair.split('=');
  const file = `${folder}/${script}.json`;
  if (!existsSync(file)) continue;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  if (report.numFailedTests > 0) explained.add(step);
  for (const { name, status, message, assertionResults } of report.testResults) {
    const wrong = assertionResults.filter((result) => result.status === 'failed');
    // A file that could not be read, or whose beforeAll failed, has a message and no failed test.
    if (status === 'failed' && wrong.length === 0) {
      explained.add(step);
      failed += 1;
      console.log(`FAILED in ${step}: ${name}`);
      for (const line of shortened(message, 'start')) console.log(`    ${line}`);
    }
    for (const { fullName, failureMessages } of wrong) {
      console.log(`FAILED in ${step}: ${name} > ${fullName}`);
      for (const line of shortened(failureMessages.join('\n'), 'start')) console.log(`    ${line}`);
    }
  }
}
for (const pair of pairs) {
  const [, step] = pair.split('=');
  const log = logOf(step);
  for (const line of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []) {
    if (line.includes(' (retry x')) console.log(`TRIED AGAIN in ${step}: ${line.trim()}`);
  }
}
for (const step of broken) {
  console.log(`FAILED: ${step}`);
  // A step that failed for another reason than a failed test counts as one failure of its own.
  if (explained.has(step)) continue;
  failed += 1;
  const log = logOf(step);
  if (!existsSync(log)) continue;
  for (const line of shortened(readFileSync(log, 'utf8'), 'end')) console.log(`    ${line}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
