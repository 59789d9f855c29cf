import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Names of Prometheus: dots become underscores, the unit and what a counter is are added. */
function inPrometheus(name: string, suffix: string): string {
  return `${name.replaceAll('.', '_')}_${suffix}`;
}

test('the dashboard for Grafana asks for the metrics and labels that are sent', () => {
  const source = readFileSync('cli/tasks/load/load-otlp.ts', 'utf8');
  const [, duration = ''] = /const DURATION = '([^']+)'/.exec(source) ?? [];
  const [, offered = ''] = /createObservableCounter\('([^']+)'/.exec(source) ?? [];
  const known = [inPrometheus(duration, 'seconds'), inPrometheus(offered, 'total')];
  const text = readFileSync('examples/grafana/assay-load.json', 'utf8');
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(asked.length).toBeGreaterThan(5);
  for (const expr of asked) {
    const names = [...expr.matchAll(/\bassay_\w+/g)].map(([name]) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    const labels = [...expr.matchAll(/(\w+)(?:=~|!~|=)"/g), ...expr.matchAll(/by \((\w+)/g)];
    for (const [, label = ''] of labels) {
      expect(['scenario', 'step', 'operation', 'fate']).toContain(label);
    }
  }
});
