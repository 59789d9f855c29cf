/** Options by which a package manager, such as Yarn without a node_modules folder, has Node find packages. */
const LOADING =
  /(?:^|\s)(?:--require|-r|--import|--(?:experimental-)?loader)(?:=|\s+)(?:"(?:[^"\\]|\\.)*"|\S+)/g;

/**
 * Of an environment, what Node finds packages by, and nothing else of it: a process of its own that holds no secret
 * starts with this.
 *
 * @returns variables; none if nothing is set for it
 */
export function loaderEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const options = (env.NODE_OPTIONS?.match(LOADING) ?? []).map((one) => one.trim()).join(' ');
  return options === '' ? {} : { NODE_OPTIONS: options };
}
