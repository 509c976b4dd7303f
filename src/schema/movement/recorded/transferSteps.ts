import { isOnSource } from '#words/bridges/bridgeSteps'
import type { Context } from '../../../engine/graphql/builder.ts'
import { isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { parseNanoseconds } from '../../indexer/time/timeFilter.ts'
import {
  clockSlack,
  type FoundStep,
  isSameTransfer,
  isWithdrawal,
  keyOfStep,
} from '../../indexer/transaction/bridgeSteps.ts'
import { bridgeOfRoute } from '../../router/bridges/bridges.ts'
import type { WithdrawalClaims } from '../../router/bridges/defineBridge.ts'
import type { TimeSpan } from './accountSteps.ts'
import { type Counterparty, findCounterparty, noteCounterparty } from './counterparty.ts'
import { findNamed, findStep, type NamedTransaction, type StepResult, type StepSearch, usualDelay } from './findStep.ts'

/** Most withdrawals are claimed within a day after they can be, in nanoseconds. */
const usualClaimDelay = 86_400_000_000_000n

/** The steps that were found. What a chain has written stays, but a chain can be reset. */
const foundSteps = { name: 'bridge steps', maxEntries: 20_000, ttlMs: 60 * 60_000 }

/** The steps that were looked for and not found after their usual time, for who reads a page again. */
const missedSteps = { name: 'bridge steps not found', maxEntries: 20_000, ttlMs: 30_000 }

interface Miss {
  readonly result: null | undefined
  readonly isCut: boolean
}

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
  #isCut = false
  #canReadMore = false

  /** `named` are transactions that the router says are of it. They are read before others are searched. */
  constructor(context: Context, chain: ServedChain, own: FoundStep, named: readonly NamedTransaction[] = []) {
    this.#named = named
    this.own = own
    this.#context = context
    this.#chain = chain
  }

  /** Whether a search so far has not read all that is due: an account has too much, or the search was ended early. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Whether another operation can read more: this one had read too much, or an indexer failed. */
  get canReadMore(): boolean {
    return this.#canReadMore
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
  async #findWithdrawal(): Promise<StepResult> {
    const { own } = this
    const claims = bridgeOfRoute(own.route)?.recorded?.claims
    return this.#search('withdrawal', false, {
      account: own.sender,
      known: own,
      isAfter: false,
      due: await this.#claimSpan(own, false),
      matches: (step) =>
        (step.kind === 'SENT' && isSameTransfer(step, own)) ||
        (step.kind === 'REFUSED' && claims !== undefined && isSameTransfer(returnOf(step, claims), own)),
    })
  }

  async #findReceived(): Promise<StepResult> {
    const { own } = this
    if (!isOnSource(own)) return own
    // What the source chain has learnt comes after it.
    const due = isWithdrawal(own.route) ? await this.#claimSpan(own, true) : undefined
    return this.#find(false, own.receiver, own.kind === 'SENT', (step) => !isOnSource(step), due)
  }

  async #findEnded(): Promise<StepResult> {
    const { own } = this
    if (isOnSource(own) && own.kind !== 'SENT') return own
    const claims = bridgeOfRoute(own.route)?.recorded?.claims
    if (claims) return this.#findClaim(claims)
    // A chain learns that a packet came too late after its time limit.
    const time = parseNanoseconds(own.timestamp)
    const last = own.timeout !== null && own.timeout > time ? own.timeout : time
    const due = { from: time - clockSlack, until: last + usualDelay }
    return this.#find(isOnSource(own), own.sender, true, (step) => isOnSource(step) && step.kind !== 'SENT', due)
  }

  /** The claim of the withdrawal that brings a refused deposit back. */
  async #findClaim(claims: WithdrawalClaims): Promise<StepResult> {
    const refused = await this.received()
    if (refused?.kind !== 'REFUSED') return null
    const back = returnOf(refused, claims)
    const isClaim = (step: FoundStep) => step.kind === 'RECEIVED' && isSameTransfer(step, back)
    return this.#search('claim', isOnSource(this.own), {
      account: refused.sender,
      known: refused,
      isAfter: true,
      due: await this.#claimSpan(refused, true),
      matches: isClaim,
    })
  }

  /** When the claim of a withdrawal is due, or its start: it waits for the finalization period of the bridge of its rollup. */
  async #claimSpan({ chainId, timestamp }: FoundStep, isAfter: boolean): Promise<TimeSpan> {
    const rollupId = isAfter ? chainId : (await this.counterparty()).chainId
    const rollup = this.#context.network.chains.get(rollupId ?? '')
    const time = parseNanoseconds(timestamp)
    const wait = BigInt(rollup?.opInitFinalizationSeconds ?? 0) * 1_000_000_000n
    return isAfter
      ? { from: time + wait - clockSlack, until: time + wait + usualClaimDelay }
      : { from: time - wait - usualClaimDelay, until: time - wait + clockSlack }
  }

  /** Finds another step of the transfer, on the own chain or the other one. */
  #find(
    isHere: boolean,
    account: string | null,
    isAfter: boolean,
    isKind: (step: FoundStep) => boolean,
    due?: TimeSpan,
  ): Promise<StepResult> {
    const { own } = this
    return this.#search(`${isHere} ${isAfter}`, isHere, {
      ...{ account, isAfter, due },
      known: own,
      matches: (step) => isKind(step) && isSameTransfer(step, own),
    })
  }

  async #search(
    name: string,
    isHere: boolean,
    {
      account,
      ...search
    }: Pick<StepSearch, 'known' | 'isAfter' | 'matches' | 'due'> & { readonly account: string | null },
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
    const missed = context.scope.cache.values<Miss>(missedSteps)
    const miss = missed.get(key)
    if (miss) {
      this.#isCut ||= miss.isCut
      return miss.result
    }
    let isCut = false
    let canReadMore = false
    const onCut = (hasMore: boolean) => {
      isCut = true
      canReadMore ||= hasMore
    }
    for (const chain of chains) {
      const step = { ...search, chain, account, onCut }
      const found = (await findNamed(context, step, this.#named)) ?? (await this.#read(step))
      if (!found) {
        isWhole &&= found === null
        continue
      }
      if (!isYoung(context, found)) known.set(key, found)
      if (counterparty?.chainId === null) noteCounterparty(context, own, found.chainId)
      return found
    }
    const result = isWhole ? null : undefined
    this.#isCut ||= isCut
    this.#canReadMore ||= canReadMore
    if (!canReadMore && !isYoung(context, search.known)) missed.set(key, { result, isCut })
    return result
  }

  /** Looks for a step. A fault of its indexer ends it early. */
  async #read(search: StepSearch): Promise<StepResult> {
    try {
      return await findStep(this.#context, search)
    } catch (error) {
      if (isUpstreamFault(error)) {
        this.#isCut = true
        this.#canReadMore = true
      }
      throw error
    }
  }
}

/** Whether a transaction is so young that its chain or its indexer can take it back, and that what follows it may not be there. */
export const isYoung = ({ scope }: Context, { timestamp }: { readonly timestamp: string | null }): boolean =>
  timestamp === null || parseNanoseconds(timestamp) + usualDelay >= BigInt(scope.date()) * 1_000_000n

/** The withdrawal with which a rollup sends a refused deposit back to the hub. */
const returnOf = (refused: FoundStep, { sendsBackAs }: WithdrawalClaims): FoundStep => ({
  ...refused,
  route: sendsBackAs(refused.returnSequence ?? ''),
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
