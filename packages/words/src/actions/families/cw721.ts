import { isSameAddress } from '../../addresses/bytes.ts'
import type { ChainEvent } from '../../balanceChanges/events.ts'
import type { ActionNft, Draft } from '../action.ts'
import { attributeOf } from '../events.ts'
import type { ActionFamily } from '../family.ts'
import { fieldText } from '../fields.ts'
import { nftPieces, says, withAddress } from '../sentence.ts'
import { executeContract, reportOf, type WasmCall, wasmCallOf } from '../wasm.ts'

interface Nft {
  readonly nfts: readonly [ActionNft]
  readonly common: Pick<Draft, 'actor' | 'contract' | 'function' | 'nfts'>
}

type CallReader = (call: WasmCall, report: ChainEvent | undefined, nft: Nft) => Draft | null

const readers: Readonly<Record<string, CallReader>> = {
  transfer_nft: (call, report, nft) => transfer(fieldText(call.args, 'recipient'), report, nft),
  send_nft: (call, report, nft) => transfer(fieldText(call.args, 'contract'), report, nft),
  mint: ({ args }, _report, { nfts, common }) => {
    const counterparty = fieldText(args, 'owner')
    const said = says(['Minted', 'mint'], ' ', nftPieces(nfts), withAddress('for', counterparty))
    return counterparty ? { kind: 'NFT_MINT', ...common, counterparty, says: said } : null
  },
  burn: (_call, _report, { nfts, common }) => ({
    kind: 'NFT_BURN',
    ...common,
    says: says(['Burned', 'burn'], ' ', nftPieces(nfts)),
  }),
}

/** NFTs of Wasm contracts, by the CW-721 standard. */
export const cw721: ActionFamily = {
  types: [executeContract],
  read: (step) => {
    const call = wasmCallOf(step)
    const { actor, contract, name, args } = call
    const read = name !== null && Object.hasOwn(readers, name) ? readers[name] : undefined
    const tokenId = fieldText(args, 'token_id')
    const report = reportOf(step.events, contract, name)
    if (!read || !tokenId || !contract) return null
    // A contract of another kind can have a function of the same name. It does not report this token.
    if (step.isSuccessful && (!report || attributeOf(report, 'token_id') !== tokenId)) return null
    const nfts = [{ collection: contract, tokenId, objectAddress: null }] as const
    return read(call, report, { nfts, common: { actor, contract, function: name, nfts } })
  },
}

function transfer(counterparty: string | null, report: ChainEvent | undefined, { nfts, common }: Nft): Draft | null {
  if (!counterparty) return null
  if (report && !isSameAddress(attributeOf(report, 'recipient'), counterparty)) return null
  const said = says(['Sent', 'send'], ' ', nftPieces(nfts), withAddress('to', counterparty))
  return { kind: 'NFT_TRANSFER', ...common, counterparty, says: said }
}
