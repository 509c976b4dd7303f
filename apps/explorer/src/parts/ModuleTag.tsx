import { moduleOf } from '@portolan/words/modules'
import { text } from '../text.ts'
import { hexOf } from '../values/bech32.ts'

/** The module of a chain that an address belongs to. Nothing for an account of somebody. */
export function ModuleTag({ of }: { of: string }) {
  const module = moduleOf(hexOf(of)?.slice(2) ?? '')
  if (!module) return null
  const { modules } = text
  const words =
    module.kind === 'ESCROW'
      ? modules.escrow(module.channel)
      : module.kind === 'BRIDGE'
        ? modules.bridge(module.bridgeId)
        : (modules.names[module.name] ?? modules.other(module.name))
  return (
    <span class="tag module" title={modules.hint}>
      {words}
    </span>
  )
}
