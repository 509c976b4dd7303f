import { effectsOf } from './effects.ts'
import { event, type MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { callEvents, evmLogEvents } from './logs.ts'
import { moveMessage } from './moveCalls.ts'
import { partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'
import { wasmMessage } from './wasmCalls.ts'

/** The message that calls or creates a contract, as the virtual machine of the chain has it. */
export function contractMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  switch (fixtures.chain.vm) {
    case 'evm':
      return evmMessage(fixtures, shape)
    case 'move':
      return moveMessage(fixtures, shape, sequence)
    case 'wasm':
      return wasmMessage(fixtures, shape, sequence)
  }
}

function evmMessage(fixtures: Fixtures, shape: Shape): MessageDraft {
  const [sender] = partiesOf(fixtures, shape)
  const { to, contractAddress, input, logs, value } = effectsOf(fixtures, shape)
  const common = { sender: sender.bech32, value: String(value), access_list: [], auth_list: [] }
  return to === ''
    ? {
        type: '/minievm.evm.v1.MsgCreate',
        fields: { ...common, code: input },
        events: [event('create', { contract: contractAddress ?? '', ret: '0x' }), ...evmLogEvents(logs)],
      }
    : {
        type: '/minievm.evm.v1.MsgCall',
        fields: { ...common, contract_addr: to, input },
        events: callEvents(to, logs),
      }
}
