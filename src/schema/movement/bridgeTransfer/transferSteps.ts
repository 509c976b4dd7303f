import { isOnSource } from '#words/bridges'
import type { Context } from '../../../engine/graphql/builder.ts'
import { isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type FoundStep, isSameTransfer, isWithdrawal, keyOfStep } from '../../indexer/transaction/bridgeSteps.ts'
import { type Counterparty, findCounterparty, noteCounterparty } from './counterparty.ts'
import { findNamed, findStep, type NamedTransaction, type StepResult, type StepSearch } from './findStep.ts'

/** The steps that were found. What a chain has written stays. */
const foundSteps = { name: 'bridge steps', maxEntries: 20_000 }

/** The steps of one bridge transfer, as they are found from one of them. */
export class TransferSteps {
  /** The step that it was found by. */
  readonly own: FoundStep
  readonly #context: Context
  readonly #chain: ServedChain
  readonly #named: readonly NamedTransaction[]
  #counterparty: Promise<Counterparty> | undefined
  #sent: Promise<FoundStep | null> | undefined
  #received: Promise<StepResult> | undefined
  #ended: Promise<StepResult> | undefined

  /** `named` are transactions that the router says are of it. They are read before others are searched. */
  constructor(context: Context, chain: ServedChain, own: FoundStep, named: readonly NamedTransaction[] = []) {
    this.#named = named
    this.own = own
    this.#context = context
    this.#chain = chain
  }

  /** The chain at the other end. */
  counterparty(): Promise<Counterparty> {
    this.#counterparty ??= findCounterparty(this.#context, this.own)
    return this.#counterparty
  }

  /** The step with which the coins left. Null if it is not found. */
  sent(): Promise<FoundStep | null> {
    this.#sent ??= this.#findSent()
    return this.#sent
  }

  /** The step with which the destination chain took, passed on or refused the coins. Null if it is not found. */
  async received(): Promise<FoundStep | null> {
    return (await this.arrived()) ?? null
  }

  /** The same, but undefined if it is not found, and what was not read can have it. */
  arrived(): Promise<StepResult> {
    this.#received ??= this.#findReceived()
    return this.#received
  }

  /**
   * The step with which the source chain learnt the outcome, or with which a refused deposit came back to it. Null if there is
   * none, and undefined if it is not found, but what was not read can have it.
   */
  ended(): Promise<StepResult> {
    this.#ended ??= this.#findEnded()
    return this.#ended
  }

  async #findSent(): Promise<FoundStep | null> {
    const { own } = this
    if (own.kind === 'SENT') return own
    const search = isWithdrawal(own.route)
      ? this.#findWithdrawal()
      : this.#find(isOnSource(own), own.sender, false, ({ kind }) => kind === 'SENT')
    return (await search) ?? null
  }

  /** The start of the withdrawal that a claim ends: of the sender, or with which the rollup sent a refused deposit back. */
  #findWithdrawal(): Promise<StepResult> {
    const { own } = this
    return this.#search('withdrawal', false, {
      account: own.sender,
      known: own,
      isAfter: false,
      matches: (step) =>
        (step.kind === 'SENT' && isSameTransfer(step, own)) ||
        (step.kind === 'REFUSED' && isSameTransfer(returnOf(step), own)),
    })
  }

  async #findReceived(): Promise<StepResult> {
    const { own } = this
    if (!isOnSource(own)) return own
    // What the source chain has learnt comes after it.
    return this.#find(false, own.receiver, own.kind === 'SENT', (step) => !isOnSource(step))
  }

  async #findEnded(): Promise<StepResult> {
    const { own } = this
    if (isOnSource(own) && own.kind !== 'SENT') return own
    if (own.route.bridge === 'OPINIT') return this.#findClaim()
    return this.#find(isOnSource(own), own.sender, true, (step) => isOnSource(step) && step.kind !== 'SENT')
  }

  /** The claim of the withdrawal that brings a refused deposit back. */
  async #findClaim(): Promise<StepResult> {
    const refused = await this.received()
    if (refused?.kind !== 'REFUSED') return null
    const back = returnOf(refused)
    const isClaim = (step: FoundStep) => step.kind === 'RECEIVED' && isSameTransfer(step, back)
    return this.#search('claim', isOnSource(this.own), {
      account: refused.sender,
      known: refused,
      isAfter: true,
      matches: isClaim,
    })
  }

  /** Finds another step of the transfer, on the own chain or the other one. */
  #find(isHere: boolean, account: string | null, isAfter: boolean, isKind: (step: FoundStep) => boolean) {
    const { own } = this
    return this.#search(`${isHere} ${isAfter}`, isHere, {
      account,
      isAfter,
      known: own,
      matches: (step) => isKind(step) && isSameTransfer(step, own),
    })
  }

  async #search(
    name: string,
    isHere: boolean,
    { account, ...search }: Pick<StepSearch, 'known' | 'isAfter' | 'matches'> & { readonly account: string | null },
  ): Promise<StepResult> {
    if (account === null) return undefined
    const { own } = this
    const context = this.#context
    const key = `${name} ${keyOfStep(own)}`
    const known = context.scope.cache.values<FoundStep>(foundSteps)
    const before = known.get(key)
    if (before) return before
    const counterparty = isHere ? undefined : await this.counterparty()
    const chains = counterparty?.candidates ?? [this.#chain]
    // Chains that only may be the other end prove nothing.
    let isWhole = chains.length > 0 && counterparty?.chainId !== null
    for (const chain of chains) {
      const step = { chain, account, ...search }
      const found = (await findNamed(context, step, this.#named)) ?? (await findStep(context, step))
      if (!found) {
        isWhole &&= found === null
        continue
      }
      known.set(key, found)
      if (counterparty?.chainId === null) noteCounterparty(context, own, found.chainId)
      return found
    }
    return isWhole ? null : undefined
  }
}

/** The withdrawal with which a rollup sends a refused deposit back to the hub. */
const returnOf = (refused: FoundStep): FoundStep => ({
  ...refused,
  route: { bridge: 'OPINIT', direction: 'WITHDRAWAL', bridgeId: null, sequence: refused.returnSequence ?? '' },
  sender: refused.receiver,
  receiver: refused.sender,
  sourceDenom: refused.destinationDenom,
  destinationDenom: refused.sourceDenom,
})

/** What a search gives, or undefined if an upstream fails it. */
export async function unlessFaulty<T>(search: Promise<T>): Promise<T | undefined> {
  try {
    return await search
  } catch (error) {
    if (isUpstreamFault(error)) return undefined
    throw error
  }
}
