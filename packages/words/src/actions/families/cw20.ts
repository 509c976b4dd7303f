import { isSameAddress } from '../../addresses/bytes.ts'
import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { Draft } from '../action.ts'
import { attributeOf } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { fieldText, wholeOf } from '../fields.ts'
import { coins, says, withAddress } from '../sentence.ts'
import { executeContract, reportOf, type WasmCall, wasmCallOf } from '../wasm.ts'

/** The arguments of a transfer by its function: who gets the tokens. */
const recipients: Readonly<Record<string, string>> = {
  transfer: 'recipient',
  send: 'contract',
  transfer_from: 'recipient',
  send_from: 'contract',
}

/** Transfers and allowances of CW-20 tokens, new tokens, and burnt ones. */
export const cw20: ActionFamily = {
  types: [executeContract],
  read: (step) => {
    const call = wasmCallOf(step)
    const report = reportOf(step.events, call.contract, call.name)
    // A contract of another kind can have a function of the same name. It does not report what a token does.
    if (step.isSuccessful && !report) return null
    switch (call.name) {
      case 'increase_allowance':
        return allow(call, report)
      case 'mint':
        return mint(call, report)
      case 'burn':
        return burn(call, report)
      default:
        return transfer(call, report)
    }
  },
}

function transfer(call: WasmCall, report: ChainEvent | undefined): Draft | null {
  const { name, args, contract, actor: signer } = call
  const counterparty = fieldText(args, recipients[name ?? ''] ?? '')
  const amount = wholeOf(fieldText(args, 'amount'))
  if (!counterparty || amount === null || !contract) return null
  const isFrom = name === 'transfer_from' || name === 'send_from'
  const owner = isFrom ? fieldText(args, 'owner') : signer
  if (report && !hasReported(report, { from: owner, to: counterparty, amount })) return null
  const amounts = [{ denom: contract, amount }]
  return {
    kind: 'SEND',
    actor: owner,
    executor: isFrom ? signer : null,
    counterparty,
    amounts,
    contract,
    function: name,
    says: says(['Sent', 'send'], ' ', coins(amounts), withAddress('to', counterparty)),
  }
}

const hasReported = (
  report: ChainEvent,
  { from, to, amount }: { from: string | null; to: string; amount: bigint },
): boolean =>
  isSameAddress(attributeOf(report, 'from'), from) &&
  isSameAddress(attributeOf(report, 'to'), to) &&
  wholeOf(attributeOf(report, 'amount')) === amount

function allow(call: WasmCall, report: ChainEvent | undefined): Draft | null {
  const { args, contract, actor, name } = call
  const [counterparty, amount] = [fieldText(args, 'spender'), wholeOf(fieldText(args, 'amount'))]
  if (!counterparty || amount === null || !contract) return null
  if (report && !isSameAddress(attributeOf(report, 'spender'), counterparty)) return null
  const amounts = [{ denom: contract, amount }]
  return {
    kind: 'APPROVE',
    actor,
    counterparty,
    amounts,
    contract,
    function: name,
    says: says(['Approved', 'approve'], ' ', { address: counterparty }, ' to spend another ', coins(amounts)),
  }
}

function mint({ args, contract, actor, name }: WasmCall, report?: ChainEvent): Draft | null {
  const [recipient, amount] = [fieldText(args, 'recipient'), wholeOf(fieldText(args, 'amount'))]
  if (!recipient || amount === null || !contract) return null
  if (report && !hasReportedSide(report, 'to', recipient, amount)) return null
  const amounts = [{ denom: contract, amount }]
  const counterparty = isSameAddress(recipient, actor) ? null : recipient
  const said = says(['Minted', 'mint'], ' ', coins(amounts), withAddress('for', counterparty))
  return { kind: 'TOKEN_MINT', actor, counterparty, amounts, contract, function: name, says: said }
}

function burn({ args, contract, actor, name }: WasmCall, report?: ChainEvent): Draft | null {
  const amount = wholeOf(fieldText(args, 'amount'))
  if (amount === null || !contract) return null
  if (report && !hasReportedSide(report, 'from', actor, amount)) return null
  const amounts = [{ denom: contract, amount }]
  const said = says(['Burned', 'burn'], ' ', coins(amounts))
  return { kind: 'TOKEN_BURN', actor, amounts, contract, function: name, says: said }
}

const hasReportedSide = (report: ChainEvent, side: 'from' | 'to', account: string | null, amount: bigint): boolean =>
  isSameAddress(attributeOf(report, side), account) && wholeOf(attributeOf(report, 'amount')) === amount
