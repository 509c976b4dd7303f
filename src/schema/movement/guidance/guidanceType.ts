import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { described } from '../../../engine/graphql/described.ts'
import { Chain, loadDisplayName } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'
import { funds, returns, waitingFor } from '../../router/bridges/guidance.ts'
import { commonGuidance } from './commonGuidance.ts'
import { type EarlierMovement, type GuidanceShape, isLate, usualSeconds } from './guidanceShape.ts'

function toCode(shape: GuidanceShape): Code {
  const { guidance } = shape
  if (guidance === commonGuidance.unseen) return 'NOT_SEEN'
  if (guidance === commonGuidance.untracked) return 'UNTRACKED'
  if (guidance === commonGuidance.abandoned) return 'TRACKING_ENDED'
  if (guidance.funds === 'CLAIMABLE') return 'CLAIMABLE'
  if (guidance.waitingFor === 'USER') return 'ACT'
  if (guidance.funds === 'MOVING' || guidance.funds === 'HELD') return isLate(shape) ? 'LATE' : 'WAIT'
  return guidance.funds
}

/** A moment as sentences write it, to the minute, such as `2026-10-01 12:05 UTC`. */
const writtenTime = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A text with the names of the chains, the moment and the amount. */
async function written(
  text: string,
  { from, to, time, coins = '' }: Pick<GuidanceShape, 'from' | 'to' | 'time' | 'coins'>,
  context: Context,
): Promise<string> {
  const nameOf = async (chainId: string | null, unknown: string) =>
    chainId === null ? unknown : loadDisplayName(context, chainOf(context, chainId))
  const values = {
    from: await nameOf(from, 'the source chain'),
    to: await nameOf(to, 'the destination chain'),
    time: time == null ? 'an unknown time' : writtenTime(time),
    coins,
  }
  const filled = text.replace(/\{(from|to|time|coins)\}/g, (_, name: keyof typeof values) => values[name])
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}

/** What is known of earlier movements, each with a space behind it. */
async function writtenBefore(before: EarlierMovement | undefined, context: Context): Promise<string> {
  if (!before) return ''
  return `${await written(before.text, before, context)} ${await writtenBefore(before.more, context)}`
}

/** The text for a transfer that is late, if it is late and there is one, else the usual text. */
const timely = (shape: GuidanceShape, part: 'sentence' | 'nextStep'): string =>
  (isLate(shape) ? shape.guidance.late?.[part] : undefined) ?? shape.guidance[part]

const codes = {
  NOT_SEEN: 'The router has not seen the first transaction yet.',
  UNTRACKED: 'The first transaction is on its chain, and the router does not know it.',
  WAIT: 'It is on its way.',
  LATE: 'It takes much longer than usual.',
  ACT: 'The user has to act. See `nextStep`.',
  CLAIMABLE: 'It has to be claimed, now or after a waiting time. See `nextStep`.',
  DELIVERED: 'It has arrived.',
  RETURNING: 'It was not delivered, and is on its way back.',
  RETURNED: 'It was not delivered, and is back with the sender.',
  RELEASED:
    'It failed after a part of the way, or on the last chain. The funds are on `returnsTo`, perhaps as another coin.',
  NOT_SENT: 'The first transaction failed. Nothing was sent.',
  TRACKING_ENDED: 'The router has stopped tracking it. That does not stop the funds.',
  UNKNOWN: 'Nothing is known of this state.',
}

type Code = keyof typeof codes

const TransferGuidanceCode = builder.enumType('TransferGuidanceCode', {
  description: 'The situation of a transfer, in one word. New values can come.',
  values: described(codes),
})

const TransferWait = builder.enumType('TransferWait', {
  description: 'A person, service or period that a transfer waits for. New values can come.',
  values: described(waitingFor),
})

const TransferFunds = builder.enumType('TransferFunds', {
  description: 'Where the funds of a transfer are. New values can come.',
  values: described(funds),
})

const TransferReturn = builder.enumType('TransferReturn', {
  description: 'How the funds return if they are not delivered.',
  values: described(returns),
})

export const TransferGuidance = builder.objectRef<GuidanceShape>('TransferGuidance').implement({
  description:
    'Advice for the owner of a transfer, from the documentation of its bridge and the times of its transactions.',
  fields: (t) => ({
    code: t.value(TransferGuidanceCode, 'The situation, in one word.', (shape) => toCode(shape)),
    sentence: t.value('String', 'The situation, in an English sentence.', async (shape, _args, context) => {
      const before = await writtenBefore(shape.before, context)
      return `${before}${await written(timely(shape, 'sentence'), shape, context)}`
    }),
    nextStep: t.value('String', 'The next step of its owner, in English.', (shape, _args, context) =>
      written(timely(shape, 'nextStep'), shape, context),
    ),
    waitingFor: t.value(
      TransferWait,
      'The person, service or period that it waits for.',
      ({ guidance }) => guidance.waitingFor,
    ),
    usualSeconds: t.ifKnown(
      'UInt53',
      'Seconds that this usually takes, at most, since the first transaction of the hop.',
      usualSeconds,
    ),
    remainingSeconds: t.ifKnown('UInt53', 'Seconds that are left of the usual time. 0 once it has passed.', (shape) => {
      const usual = usualSeconds(shape)
      return usual === null || shape.elapsed === null ? null : Math.max(0, usual - shape.elapsed)
    }),
    isLate: t.ifKnown('Boolean', 'Whether it takes much longer than usual, as this gateway judges.', isLate),
    funds: t.value(TransferFunds, 'Where the funds are.', ({ guidance }) => guidance.funds),
    returns: t.value(TransferReturn, 'How they return if they are not delivered.', ({ guidance }) => guidance.returns),
    returnsTo: t.ifKnown(
      Chain,
      'The chain that they return to, or were released on. Null if they do not return.',
      ({ guidance, returnsTo }, _args, context) => {
        const isReturn = !['NEVER', 'UNKNOWN'].includes(guidance.returns) && guidance.funds !== 'DELIVERED'
        return isReturn && returnsTo !== null ? chainOf(context, returnsTo) : null
      },
    ),
    url: t.nullable(
      'URL',
      'A page where it can be followed or acted on. Null if there is none.',
      ({ guidance, hash }) =>
        guidance.url === undefined || hash === null ? null : guidance.url.replace('{hash}', hash),
    ),
    contradiction: t.nullable(
      'String',
      'The word of the router if the records of the chains prove otherwise. Null if both agree.',
      ({ contradiction }) => contradiction,
    ),
    supportUrl: t.nullable('URL', 'Where to ask for help. Null if unknown.', ({ guidance }) => guidance.supportUrl),
    source: t.value(
      'String',
      'Where these facts come from, and the month of the oldest source, if it has a date.',
      ({ guidance }) => (guidance.asOf ? `${guidance.source}, ${guidance.asOf}` : guidance.source),
    ),
  }),
})
