/** All contracts that a command line names. */
export function contractsOf({
  contract,
  aiContract,
}: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const named = Array.isArray(contract) ? (contract as readonly unknown[]) : [];
  const all = typeof aiContract === 'string' ? [...named, `ai=${aiContract}`] : named;
  return all.length === 0 ? undefined : all;
}
