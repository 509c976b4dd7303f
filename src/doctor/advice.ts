import type { Finding, Findings } from './finding.ts'

/** Measurements that have to agree before a setting is advised: one alone can be an accident of the network. */
const needed = 3

/**
 * Adds a finding that one measurement has led to. Its setting is advised only if two more measurements lead to it.
 * `repeat` runs one, and resolves to whether it leads to the finding too. It is not called again after a no.
 */
export async function advise(
  findings: Findings,
  { level, subject, text, set }: Finding & { readonly level: 'limited' | 'fails' },
  repeat: () => Promise<boolean>,
): Promise<void> {
  if (set === undefined) return findings[level](subject, text)
  for (let taken = 1; taken < needed; taken += 1) {
    if (await repeat()) continue
    const differs = `Measurement ${taken + 1} of ${needed} differs, so no setting is advised. Run this again.`
    return findings[level](subject, `${text} ${differs}`)
  }
  findings[level](subject, text, set)
}
