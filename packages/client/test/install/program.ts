// A program that uses each entry point of the installed package. `scripts/pack.mjs` checks its types.
import { createClient, type Live, type TypedDocument } from '@portolan/client'
import type { formatAmount, parseAmount } from '@portolan/client/amounts'
import { liveLink } from '@portolan/client/apollo'
import { type BalanceChange, type balanceChanges, knownDenoms } from '@portolan/client/balance-changes'
import type { plugin } from '@portolan/client/codegen'
import { type introspection, possibleTypes, type Scalars } from '@portolan/client/config'
import { typePolicies } from '@portolan/client/config/apollo'
import { keys, resolvers } from '@portolan/client/config/graphcache'
import type { introspection as schema } from '@portolan/client/config/introspection'
import type { shortAddress } from '@portolan/client/display'
import type { PortolanError } from '@portolan/client/errors'
import { followConnection } from '@portolan/client/follow'
import { liveBlocks, search } from '@portolan/client/operations'
import { useLatest } from '@portolan/client/react'
import type { useTransfer } from '@portolan/client/react/wallet'
import { type SendError, sendRoute } from '@portolan/client/send'
import { liveExchange } from '@portolan/client/urql'

/** Is the type `true` only if both types are the same. An `any` is the same as no other type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <_Claim extends true>() => {}

declare const block: TypedDocument<{ block: { height: number } }, { chainId: string }>
const client = createClient({ url: 'https://gateway.example/graphql' })

const read = async () => client.query(block, { chainId: 'galley-1' })
is<Same<Awaited<ReturnType<typeof read>>, { block: { height: number } }>>()
// @ts-expect-error: its variable is missing
const unready = () => client.query(block)
const live = () => client.subscribe(block, { chainId: 'galley-1' })
is<Same<ReturnType<typeof live>, Live<{ block: { height: number } }>>>()

is<Same<ReturnType<typeof parseAmount>, bigint>>()
is<Same<ReturnType<typeof formatAmount>, string>>()
is<Same<ReturnType<typeof shortAddress>, string>>()
is<Same<ReturnType<typeof balanceChanges>, BalanceChange[]>>()
is<Same<PortolanError['retryAfter'], number | undefined>>()
is<Same<SendError['sent'][number]['hash'], string>>()
is<Same<Scalars['UInt53'], number>>()
is<Same<introspection['query'], 'Query'>>()
is<Same<ReturnType<typeof plugin>, string>>()
is<Same<NonNullable<ReturnType<typeof useTransfer>['data']>['state'], string>>()
const find = async () => (await search(client, { text: '1041' })).search?.hasMore
is<Same<Awaited<ReturnType<typeof find>>, boolean | undefined>>()
// @ts-expect-error: its variable is missing
const nowhere = () => liveBlocks(client, {})
is<Same<typeof schema.__schema.queryType.name, string>>()

export const used = [
  ...[read, unready, live, find, nowhere, knownDenoms, followConnection, sendRoute, useLatest, liveLink, liveExchange],
  ...[possibleTypes, typePolicies, keys, resolvers],
]
