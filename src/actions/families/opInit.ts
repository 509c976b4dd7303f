import type { ActionRemote, Draft } from '../action.ts'
import { attributeIn } from '../events.ts'
import type { ActionFamily, Step } from '../family.ts'
import { coinsIn, fieldText } from '../fields.ts'
import { coins, says, withAddress, withId } from '../sentence.ts'

const host = 'opinit.ophost.v1'
const child = 'opinit.opchild.v1'

// Deposits go from the hub to a rollup, withdrawals the other way. Each is begun on one chain and ended on the other.
const readers: Readonly<Record<string, (step: Step) => Draft>> = {
  [`${host}.MsgInitiateTokenDeposit`]: ({ message }) => {
    const [amounts, to] = [coinsIn(message.amount), fieldText(message, 'to')]
    const bridge = fieldText(message, 'bridge_id')
    return {
      kind: 'BRIDGE_OUT',
      actor: fieldText(message, 'sender'),
      amounts,
      remote: remoteOf(to, bridge),
      says: says(
        ['Deposited', 'deposit'],
        ' ',
        coins(amounts),
        withId('over bridge', bridge),
        withAddress('to', to),
        ' on its rollup',
      ),
    }
  },
  [`${child}.MsgFinalizeTokenDeposit`]: ({ message, events }) => {
    const [amounts, to] = [coinsIn(message.amount), fieldText(message, 'to')]
    const from = fieldText(message, 'from')
    return {
      kind: 'BRIDGE_IN',
      actor: to,
      amounts,
      remote: remoteOf(from, null),
      isRefused: attributeIn(events, 'finalize_token_deposit', 'success') === 'false',
      says: says(
        ['Received', 'deliver'],
        ' a deposit of ',
        coins(amounts),
        withAddress('for', to),
        withAddress('from', from),
        ' on the hub',
      ),
    }
  },
  [`${child}.MsgInitiateTokenWithdrawal`]: ({ message }) => {
    const [amounts, to] = [coinsIn(message.amount), fieldText(message, 'to')]
    return {
      kind: 'BRIDGE_OUT',
      actor: fieldText(message, 'sender'),
      amounts,
      remote: remoteOf(to, null),
      says: says(
        ['Started', 'start'],
        ' a withdrawal of ',
        coins(amounts),
        withAddress('to', to),
        ' on the hub',
      ),
    }
  },
  [`${host}.MsgFinalizeTokenWithdrawal`]: ({ message }) => {
    const amounts = coinsIn(message.amount)
    // Before `from` and `to`, the two were `sender` and `receiver`.
    const to = fieldText(message, 'to') ?? fieldText(message, 'receiver')
    const from = fieldText(message, 'from') ?? fieldText(message, 'sender')
    const bridge = fieldText(message, 'bridge_id')
    return {
      kind: 'BRIDGE_IN',
      actor: to,
      amounts,
      remote: remoteOf(from, bridge),
      says: says(
        ['Finalized', 'finalize'],
        ' the withdrawal of ',
        coins(amounts),
        withId('over bridge', bridge),
        withAddress('to', to),
      ),
    }
  },
  [`${host}.MsgProposeOutput`]: rollupUpdate('Proposed', 'propose', ' an output'),
  [`${host}.MsgDeleteOutput`]: rollupUpdate('Deleted', 'delete', ' an output'),
  [`${host}.MsgRecordBatch`]: rollupUpdate('Recorded', 'record', ' a batch'),
}

/** Deposits to rollups, withdrawals from them, and what rollups report to the hub. */
export const opInit: ActionFamily = {
  types: Object.keys(readers),
  read: (step) => readers[step.type]?.(step) ?? null,
}

const remoteOf = (address: string | null, opInitBridgeId: string | null): ActionRemote => ({
  address,
  channel: null,
  opInitBridgeId,
})

function rollupUpdate(past: string, base: string, what: string) {
  return ({ message }: Step): Draft => {
    const bridge = fieldText(message, 'bridge_id')
    const actor =
      fieldText(message, 'proposer') ??
      fieldText(message, 'challenger') ??
      fieldText(message, 'submitter')
    return {
      kind: 'ROLLUP_UPDATE',
      actor,
      remote: remoteOf(null, bridge),
      says: says([past, base], what, withId('of bridge', bridge)),
    }
  }
}
