import { z } from 'zod'

/** The title of a page, and a sentence below it. */
export interface PageTitle {
  readonly title: string
  readonly description: string
}

/** A record that a path names, and how its title is read from the graph. */
export interface TitledRecord {
  /** Tells records apart. */
  readonly key: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether the page itself makes the record known. A transfer exists only once somebody has tracked it. */
  readonly mayFollow: boolean
  /** The title that data of the query gives. Undefined if there is no such record. */
  readonly title: (data: unknown) => PageTitle | undefined
}

/** A kind of record: the form of its path, its query, and what the answer says. */
interface Kind<Data> {
  readonly parts: readonly RegExp[]
  readonly query: string
  readonly variables: (parts: readonly string[]) => Readonly<Record<string, unknown>>
  readonly data: z.ZodType<Data>
  readonly title: (data: Data, parts: readonly string[]) => PageTitle
}

const chainId = /^[\w.-]{1,64}$/
const hash = /^(0x)?[\da-zA-Z]{32,128}$/
const chain = z.object({ prettyName: z.string() })

const kindOf = <Data>(kind: Kind<Data>) => ({
  parts: kind.parts,
  query: kind.query,
  variables: kind.variables,
  title(data: unknown, parts: readonly string[]) {
    const read = kind.data.safeParse(data)
    return read.success ? kind.title(read.data, parts) : undefined
  },
})

const transactionData = z.object({
  transaction: z.object({
    height: z.number(),
    isSuccessful: z.boolean().nullable(),
    chain,
    actions: z.array(z.object({ summary: z.string() })).nullable(),
  }),
})

const transaction = {
  query: `query PageTitle($hash: Hash!, $chainId: ChainId) {
    transaction(hash: $hash, chainId: $chainId) {
      height isSuccessful chain { prettyName } actions { summary }
    }
  }`,
  data: transactionData,
  title({ transaction }: z.infer<typeof transactionData>, parts: readonly string[]): PageTitle {
    const { height, isSuccessful, actions } = transaction
    const result = isSuccessful === null ? '' : isSuccessful ? 'Success' : 'Failed'
    const where = `in block ${height} of ${transaction.chain.prettyName}`
    return {
      title: `Transaction ${short(parts.at(-1))} · ${transaction.chain.prettyName}`,
      description: [...(actions ?? []).map(({ summary }) => summary), `${result} ${where}`].join('. ').trim(),
    }
  },
}

const chainData = z.object({ chain })

const kinds: Readonly<Record<string, readonly ReturnType<typeof kindOf>[]>> = {
  tx: [
    kindOf({ ...transaction, parts: [hash], variables: ([id]) => ({ hash: id }) }),
    kindOf({
      ...transaction,
      parts: [chainId, hash],
      variables: ([chain, id]) => ({ chainId: chain, hash: id }),
    }),
  ],
  chain: [
    kindOf({
      parts: [chainId],
      query: `query PageTitle($chainId: ChainId!) { chain(chainId: $chainId) { prettyName } }`,
      variables: ([chain]) => ({ chainId: chain }),
      data: chainData,
      title: ({ chain: { prettyName } }) => ({
        title: `${prettyName} · Portolan`,
        description: `Newest blocks, transactions and assets of ${prettyName}`,
      }),
    }),
  ],
  block: [
    kindOf({
      parts: [chainId, /^\d{1,15}$/],
      query: `query PageTitle($chainId: ChainId!, $height: UInt53!) {
        chain(chainId: $chainId) {
          prettyName block(height: $height) { height timestamp transactionCount }
        }
      }`,
      variables: ([chain, height]) => ({ chainId: chain, height: Number(height) }),
      data: z.object({
        chain: chain.extend({
          block: z.object({
            height: z.number(),
            timestamp: z.string(),
            transactionCount: z.number(),
          }),
        }),
      }),
      title: ({ chain: { prettyName, block } }) => ({
        title: `Block ${block.height} · ${prettyName}`,
        description: `${block.transactionCount} transactions at ${block.timestamp}`,
      }),
    }),
  ],
  address: [
    kindOf({
      parts: [/^[\da-zA-Z:_]{20,128}$/],
      query: `query PageTitle($address: Address!) {
        account(address: $address) { chainAccounts { chain { prettyName } } }
      }`,
      variables: ([address]) => ({ address }),
      data: z.object({
        account: z.object({ chainAccounts: z.array(z.object({ chain })) }),
      }),
      title: ({ account }, [address = '']) => ({
        title: `Account ${short(address)}`,
        description: `On ${account.chainAccounts.map(({ chain }) => chain.prettyName).join(', ')}`,
      }),
    }),
  ],
  transfer: [
    kindOf({
      parts: [chainId, hash],
      query: `query PageTitle($chainId: ChainId!, $hash: String!) {
        transfer(chainId: $chainId, hash: $hash) {
          outcome chain { prettyName } hops { toChain { prettyName } }
        }
      }`,
      variables: ([chain, id]) => ({ chainId: chain, hash: id }),
      data: z.object({
        transfer: z.object({
          outcome: z.string(),
          chain,
          hops: z.array(z.object({ toChain: chain.nullable() })),
        }),
      }),
      title: ({ transfer: { outcome, chain, hops } }, parts) => {
        const names = [chain, ...hops.map(({ toChain }) => toChain)].map((one) => one?.prettyName)
        return {
          title: `Transfer ${short(parts.at(-1))} · ${outcome.toLowerCase()}`,
          description: names.filter((name) => name !== undefined).join(' → '),
        }
      },
    }),
  ],
}

/**
 * The record that a path names. Undefined for the paths of other pages. `none` if the path has the form of a page of
 * records, and no record can have its parts.
 */
export function titledRecordAt(path: string): TitledRecord | 'none' | undefined {
  const [, name = '', ...encoded] = path.split('/')
  if (!Object.hasOwn(kinds, name)) return undefined
  const parts = encoded.map(decoded)
  const kind = kinds[name]?.find(
    (one) => one.parts.length === parts.length && one.parts.every((pattern, index) => pattern.test(parts[index] ?? '')),
  )
  if (!kind) return kinds[name]?.some(({ parts: own }) => own.length === parts.length) ? 'none' : undefined
  return {
    key: `${name}/${parts.join('/')}`,
    mayFollow: name === 'transfer',
    query: kind.query,
    variables: kind.variables(parts),
    title: (data) => kind.title(data, parts),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

const short = (text = ''): string => (text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text)
