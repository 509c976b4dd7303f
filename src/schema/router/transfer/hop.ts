import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { lenientString } from '../../../upstream/lenient.ts'
import { Bridge, type BridgeName } from '../bridges/bridge.ts'
import { chainField, routerChainField } from '../chainFields.ts'
import { HopTransaction } from './hopTransaction.ts'
import type { HopBody, Problem } from './readStatus.ts'
import { HopState } from './state.ts'

/** A hop and its place in its transfer. */
export interface HopShape extends HopBody {
  readonly index: number
  readonly isBlocking: boolean
}

/** What is known of the hops of one bridge. */
interface HopKind {
  readonly type: string
  readonly bridge: BridgeName
  readonly of: string
}

const hopKinds: Readonly<Record<string, HopKind>> = {
  ibc_transfer: { type: 'IbcHop', bridge: 'IBC', of: 'IBC' },
  eureka_transfer: { type: 'EurekaHop', bridge: 'EUREKA', of: 'IBC to or from Ethereum' },
  op_init_transfer: { type: 'OpInitHop', bridge: 'OPINIT', of: "a rollup's optimistic bridge" },
  layer_zero_transfer: { type: 'LayerZeroHop', bridge: 'LAYER_ZERO', of: 'LayerZero' },
  stargate_transfer: { type: 'StargateHop', bridge: 'STARGATE', of: 'Stargate' },
  axelar_transfer: { type: 'AxelarHop', bridge: 'AXELAR', of: 'Axelar' },
  cctp_transfer: { type: 'CctpHop', bridge: 'CCTP', of: "Circle's bridge" },
  cctp_transfer_v2: { type: 'CctpV2Hop', bridge: 'CCTP_V2', of: "version 2 of Circle's bridge" },
  hyperlane_transfer: { type: 'HyperlaneHop', bridge: 'HYPERLANE', of: 'Hyperlane' },
  go_fast_transfer: { type: 'GoFastHop', bridge: 'GO_FAST', of: 'solvers that pay in advance' },
}

const kindOf = (kind: string): HopKind | undefined =>
  Object.hasOwn(hopKinds, kind) ? hopKinds[kind] : undefined

export const TransferProblem = builder.objectRef<Problem>('TransferProblem').implement({
  description: 'Why a transfer or a hop failed, in the words of the router.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: true,
      description: 'The kind of failure, such as `STATUS_ERROR_TRANSFER`.',
    }),
    message: t.exposeString('message', { nullable: true, description: 'A sentence about it.' }),
    details: t.expose('details', {
      type: 'JSON',
      nullable: true,
      description: 'What else is known: often a `code` and `message` of the chain.',
    }),
  }),
})

export const TransferHop = builder.interfaceRef<HopShape>('TransferHop').implement({
  description: 'One crossing between two chains. Swaps within a chain are no hops.',
  resolveType: ({ kind }) => kindOf(kind)?.type ?? 'UnknownHop',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place in its leg, from 0.' }),
    bridge: t.field({
      type: Bridge,
      description: 'What carries the asset.',
      resolve: ({ kind }) => kindOf(kind)?.bridge ?? 'UNKNOWN',
    }),
    rawBridge: t.exposeString('kind', {
      description: 'The key of the hop in the answer of the router, such as `ibc_transfer`.',
    }),
    fromChainId: t.exposeString('fromChainId', {
      nullable: true,
      description: 'The chain it leaves.',
    }),
    fromChain: chainField(t, 'The chain it leaves', ({ fromChainId }) => fromChainId),
    fromRouterChain: routerChainField(
      t,
      "The router's record of the chain it leaves.",
      ({ fromChainId }) => fromChainId,
    ),
    toChainId: t.exposeString('toChainId', {
      nullable: true,
      description: 'The chain it leads to.',
    }),
    toChain: chainField(t, 'The chain it leads to', ({ toChainId }) => toChainId),
    toRouterChain: routerChainField(
      t,
      "The router's record of the chain it leads to.",
      ({ toChainId }) => toChainId,
    ),
    state: t.expose('state', { type: HopState, description: 'How far it is.' }),
    rawState: t.exposeString('rawState', {
      description: "How far it is, in the bridge's own word; empty when it has none.",
    }),
    isBlocking: t.exposeBoolean('isBlocking', {
      description: 'Whether the rest of the transfer waits for it, or failed with it.',
    }),
    transactions: t.field({
      type: [HopTransaction],
      description: 'Its transactions seen so far, in the order of the bridge.',
      resolve: ({ transactions }) => [...transactions],
    }),
    error: t.expose('error', {
      type: TransferProblem,
      nullable: true,
      description: 'Why it failed.',
    }),
  }),
})

for (const [key, { type, of }] of Object.entries(hopKinds)) {
  if (key === 'axelar_transfer') continue
  builder.objectRef<HopShape>(type).implement({
    description: `A crossing by ${of}.`,
    interfaces: [TransferHop],
  })
}

const axelar = z.object({ type: lenientString, axelar_scan_link: lenientString })

builder.objectRef<HopShape>('AxelarHop').implement({
  description: 'A crossing by Axelar.',
  interfaces: [TransferHop],
  fields: (t) => ({
    mode: t.string({
      nullable: true,
      description: 'Whether the token alone is sent, or with the call of a contract.',
      resolve: ({ body }) => axelar.parse(body).type,
    }),
    scanLink: t.string({
      nullable: true,
      description: "Its page in Axelar's own explorer.",
      resolve: ({ body }) => axelar.parse(body).axelar_scan_link,
    }),
  }),
})

builder.objectRef<HopShape>('UnknownHop').implement({
  description: 'A crossing by a bridge newer than this gateway.',
  interfaces: [TransferHop],
  fields: (t) => ({
    body: t.expose('body', {
      type: 'JSON',
      nullable: true,
      description: 'The hop as the router sent it, in its own field names.',
    }),
  }),
})
