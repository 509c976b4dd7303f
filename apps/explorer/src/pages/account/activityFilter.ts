import type { AccountActivityFilter } from '../../generated/graphql.ts'
import { utcOf } from '../../values/format.ts'
import { type BalanceChangeChoice, denomsOf } from './balanceChangeFilter.ts'

/** Kinds of transactions that a reader can choose, by the types of their messages. */
const messageTypes = {
  send: ['cosmos.bank.v1beta1.MsgSend', 'cosmos.bank.v1beta1.MsgMultiSend'],
  ibc: [
    'ibc.applications.transfer.v1.MsgTransfer',
    'ibc.applications.nft_transfer.v1.MsgTransfer',
    'ibc.core.channel.v1.MsgRecvPacket',
    'ibc.core.channel.v2.MsgRecvPacket',
    'ibc.core.channel.v2.MsgSendPacket',
  ],
  bridge: [
    'opinit.ophost.v1.MsgInitiateTokenDeposit',
    'opinit.ophost.v1.MsgFinalizeTokenWithdrawal',
    'opinit.opchild.v1.MsgInitiateTokenWithdrawal',
    'opinit.opchild.v1.MsgFinalizeTokenDeposit',
  ],
  contract: [
    'minievm.evm.v1.MsgCall',
    'minievm.evm.v1.MsgCreate',
    'minievm.evm.v1.MsgCreate2',
    'initia.move.v1.MsgExecute',
    'initia.move.v1.MsgExecuteJSON',
    'initia.move.v1.MsgScript',
    'initia.move.v1.MsgScriptJSON',
    'cosmwasm.wasm.v1.MsgExecuteContract',
    'cosmwasm.wasm.v1.MsgInstantiateContract',
  ],
  stake: [
    'initia.mstaking.v1.MsgDelegate',
    'initia.mstaking.v1.MsgUndelegate',
    'initia.mstaking.v1.MsgBeginRedelegate',
    'cosmos.staking.v1beta1.MsgDelegate',
    'cosmos.staking.v1beta1.MsgUndelegate',
    'cosmos.staking.v1beta1.MsgBeginRedelegate',
    'cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
  ],
  vote: ['cosmos.gov.v1.MsgVote', 'cosmos.gov.v1beta1.MsgVote', 'cosmos.gov.v1.MsgVoteWeighted'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ActivityKind = keyof typeof messageTypes
export const activityKinds = Object.keys(messageTypes) as readonly ActivityKind[]

/** What a reader chose of an account's activity. An empty text chooses all. Times are in UTC, so that a link shows the same rows in all time zones. */
export interface ActivityChoice extends BalanceChangeChoice {
  readonly chain: string
  readonly kind: ActivityKind | ''
  readonly result: 'success' | 'failed' | ''
  readonly since: string
  readonly until: string
}

export const noChoice: ActivityChoice = {
  ...{ chain: '', kind: '', result: '', since: '', until: '' },
  ...{ direction: '', party: '', token: '', dust: '' },
}

/** Characters of the longest address, and more. */
const maxParty = 128

/** The choice in the query of an address. */
export function choiceOf(query: URLSearchParams): ActivityChoice {
  const result = query.get('result')
  const direction = query.get('direction')
  return {
    chain: query.get('chain') ?? '',
    kind: activityKinds.find((kind) => kind === query.get('kind')) ?? '',
    result: result === 'success' || result === 'failed' ? result : '',
    token: (query.get('token') ?? '').trim(),
    since: utcOf(query.get('since') ?? ''),
    until: utcOf(query.get('until') ?? ''),
    direction: direction === 'in' || direction === 'out' ? direction : '',
    party: (query.get('party') ?? '').trim().slice(0, maxParty),
    dust: query.get('dust') === 'show' ? 'show' : '',
  }
}

/** The query of an address for a choice. */
export const queryOf = (choice: ActivityChoice): URLSearchParams =>
  new URLSearchParams(Object.entries(choice).filter(([, value]) => value !== ''))

/** What the gateway filters by. Undefined if it lists all. */
export function filterOf({ chain, kind, result, token }: ActivityChoice) {
  const filter: AccountActivityFilter = {
    ...(chain !== '' && { chainIds: [chain] }),
    ...(kind !== '' && { messageTypes: [...messageTypes[kind]] }),
    ...(result !== '' && { isSuccessful: result === 'success' }),
    ...(token !== '' && { denoms: [...denomsOf({ token })] }),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

/** A span of time in milliseconds since 1970. The start belongs to it, the end does not. */
export interface Span {
  readonly since: number | undefined
  readonly until: number | undefined
}

/** The span of a choice. */
export function spanOf({ since, until }: Pick<ActivityChoice, 'since' | 'until'>): Span {
  const of = (time: string) => (time === '' ? undefined : new Date(time).getTime())
  return { since: of(since), until: of(until) }
}

/** The span as the gateway filters by it. A span up to now needs no filter: the newest records are in it. */
export function filterOfSpan({ since, until }: Span): Pick<AccountActivityFilter, 'since' | 'until'> {
  if (until === undefined) return {}
  const of = (time: number) => new Date(time).toISOString()
  return { ...(since !== undefined && { since: of(since) }), until: of(until) }
}

/** Whether a time is in a span. A record without a time is: it may belong there. */
export const isIn = ({ since, until }: Span, time: number): boolean =>
  Number.isNaN(time) || ((since === undefined || time >= since) && (until === undefined || time < until))

/** A transaction, as far as a choice regards it. */
interface Chosen {
  readonly timestamp?: string | null
  readonly isSuccessful?: boolean | null
  readonly messages?: readonly { readonly typeUrl: string }[] | null
}

/** Whether a live transaction belongs to a choice. A subscription can filter by chains alone. */
export function isChosen(choice: ActivityChoice, { messages, isSuccessful, timestamp }: Chosen) {
  const types: readonly string[] = choice.kind === '' ? [] : messageTypes[choice.kind]
  const isKind = choice.kind === '' || messages?.some(({ typeUrl }) => types.includes(typeUrl.slice(1)))
  const isResult = choice.result === '' || isSuccessful === (choice.result === 'success')
  return Boolean(isKind && isResult && isIn(spanOf(choice), Date.parse(timestamp ?? '')))
}
