import type { ActionAmount, ActionRemote, Draft } from '../action.ts'
import { attributeIn, attributeOf, eventsOfType } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { coinsIn, fieldText } from '../fields.ts'
import { withGot } from '../ibc/effect.ts'
import { coins, overIbc, refusedWith, says, withAddress, withId, withRemote } from '../sentence.ts'

const host = 'opinit.ophost.v1'
const child = 'opinit.opchild.v1'

// Deposits go from the hub to a rollup, withdrawals the other way. Each is begun on one chain and ended on the other.
const readers: Readonly<Record<string, (step: ExecutedMessage) => Draft>> = {
  [`${host}.MsgInitiateTokenDeposit`]: (step) => {
    const { message } = step
    const [amounts, to] = [coinsIn(message.amount), fieldText(message, 'to')]
    const packet = sentOverIbc(step, amounts, to)
    if (packet) return packet
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
        withRemote('to', to),
        ' on its rollup',
      ),
    }
  },
  [`${child}.MsgFinalizeTokenDeposit`]: finalizeDeposit,
  [`${child}.MsgInitiateTokenWithdrawal`]: (step) => {
    const { message } = step
    const [amounts, to] = [coinsIn(message.amount), fieldText(message, 'to')]
    const packet = sentOverIbc(step, amounts, to)
    if (packet) return packet
    return {
      kind: 'BRIDGE_OUT',
      actor: fieldText(message, 'sender'),
      amounts,
      remote: remoteOf(to, null),
      says: says(['Started', 'start'], ' a withdrawal of ', coins(amounts), withRemote('to', to), ' on the hub'),
    }
  },
  [`${host}.MsgFinalizeTokenWithdrawal`]: ({ message }) => {
    const amounts = coinsIn(message.amount)
    // Before `from` and `to`, the two were `sender` and `receiver`.
    const to = fieldText(message, 'to') ?? fieldText(message, 'receiver')
    const from = fieldText(message, 'from') ?? fieldText(message, 'sender')
    const bridge = fieldText(message, 'bridge_id')
    const told = (got: readonly ActionAmount[]): Draft => ({
      kind: 'BRIDGE_IN',
      actor: to,
      amounts: got,
      remote: remoteOf(from, bridge),
      says: says(
        ['Finalized', 'finalize'],
        ' the withdrawal of ',
        coins(got),
        withId('over bridge', bridge),
        withAddress('to', to),
      ),
    })
    return { ...told(amounts), finish: withGot(told, cameWith(amounts), amounts) }
  },
  [`${host}.MsgProposeOutput`]: rollupUpdate('Proposed', 'propose', ' an output'),
  [`${host}.MsgDeleteOutput`]: rollupUpdate('Deleted', 'delete', ' an output'),
  [`${host}.MsgRecordBatch`]: rollupUpdate('Recorded', 'record', ' a batch'),
}

/**
 * A deposit or withdrawal of a coin that was moved from its bridge to IBC: both modules then send a packet in place of their own
 * event (`HandleMigratedTokenDeposit` of x/ophost, `HandleMigratedTokenWithdrawal` of x/opchild). Nobody has to claim it.
 * Null if no packet was sent.
 */
function sentOverIbc(
  { message, events, isSuccessful }: ExecutedMessage,
  amounts: readonly ActionAmount[],
  to: string | null,
): Draft | null {
  const own = ['initiate_token_deposit', 'initiate_token_withdrawal'].some(
    (type) => eventsOfType(events, type).length > 0,
  )
  const channel = attributeIn(events, 'send_packet', 'packet_src_channel')
  if (!isSuccessful || own || channel === null) return null
  const packetSequence = attributeIn(events, 'send_packet', 'packet_sequence')
  return {
    kind: 'BRIDGE_OUT',
    actor: fieldText(message, 'sender'),
    amounts,
    remote: { address: to, channel, packetSequence, opInitBridgeId: null },
    says: says(['Sent', 'send'], ' ', coins(amounts), overIbc(channel), withRemote('to', to)),
  }
}

/** Deposits to rollups, withdrawals from them, and what rollups report to the hub. */
export const opInit: ActionFamily = {
  types: Object.keys(readers),
  read: (step) => readers[step.type]?.(step) ?? null,
}

/**
 * A deposit on its rollup. OPinit (`x/opchild/keeper/msg_server.go`) emits no event for one that had arrived before, and
 * `success=false` for two things: the coins could not be credited, and come back as a withdrawal, or only the messages
 * that came with them failed, and the coins are there.
 */
function finalizeDeposit({ message, events, isSuccessful }: ExecutedMessage): Draft {
  const [amounts, to] = [coinsIn(message.amount), fieldText(message, 'to')]
  const from = fieldText(message, 'from')
  const [event] = eventsOfType(events, 'finalize_token_deposit')
  if (isSuccessful && !event) return repeatedDeposit(fieldText(message, 'sender'))
  const isFailed = event !== undefined && attributeOf(event, 'success') === 'false'
  const reason = event === undefined ? null : attributeOf(event, 'reason')
  const hasArrived = !isFailed || reason?.startsWith(hookFailed) === true
  const hasMessages = fieldText(message, 'data') !== null
  const back = attributeIn(events, 'initiate_token_withdrawal', 'l2_sequence')
  const told = (got: readonly ActionAmount[]): Draft => ({
    kind: 'BRIDGE_IN',
    actor: to,
    amounts: got,
    remote: remoteOf(from, null),
    isRefused: !hasArrived,
    says: says(
      ['Received', 'deliver'],
      ' a deposit of ',
      coins(got),
      withAddress('for', to),
      withRemote('from', from),
      ' on the hub',
      hasArrived ? outcomeOfMessages(isFailed, hasMessages, reason) : refusedWith(reason),
      hasArrived || !back ? [] : `, comes back as withdrawal ${back}`,
    ),
  })
  return hasArrived ? { ...told(amounts), finish: withGot(told, cameWith(amounts), amounts) } : told(amounts)
}

/** The coin that a message names. What came with it can have given the account another one. */
const cameWith = ([coin]: readonly ActionAmount[]) => ({
  denom: coin?.denom ?? null,
  amount: coin?.amount ?? null,
  isCalled: true,
})

const hookFailed = 'hook failed; '

const repeatedDeposit = (actor: string | null): Draft => ({
  kind: 'ROLLUP_UPDATE',
  actor,
  says: says(['Relayed', 'relay'], ' a deposit that had arrived before'),
})

/** The words for the messages that came with a deposit, whose coins have arrived. */
function outcomeOfMessages(isFailed: boolean, hasMessages: boolean, reason: string | null) {
  if (isFailed) {
    const words = { quoted: reason?.slice(hookFailed.length) ?? '' }
    return [', but the messages that came with it failed with ', words]
  }
  return hasMessages ? ', and executed the messages that came with it' : []
}

const remoteOf = (address: string | null, opInitBridgeId: string | null): ActionRemote => ({
  address,
  channel: null,
  opInitBridgeId,
})

function rollupUpdate(past: string, base: string, what: string) {
  return ({ message }: ExecutedMessage): Draft => {
    const bridge = fieldText(message, 'bridge_id')
    const actor = fieldText(message, 'proposer') ?? fieldText(message, 'challenger') ?? fieldText(message, 'submitter')
    return {
      kind: 'ROLLUP_UPDATE',
      actor,
      remote: remoteOf(null, bridge),
      says: says([past, base], what, withId('of bridge', bridge)),
    }
  }
}
