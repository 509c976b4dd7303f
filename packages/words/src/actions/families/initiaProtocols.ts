import { bytesOf, isSameAddress } from '../../addresses/bytes.ts'
import { type ChainEvent, parsed } from '../../balanceChanges/events.ts'
import type { ActionAmount, ActorChanges } from '../action.ts'
import { noChanges, withChanges } from '../actorChanges.ts'
import { attributeOf, eventsOfType } from '../events.ts'
import type { ActionFamily, ExecutedMessage } from '../family.ts'
import { type Fields, fieldsOf, fieldText, itemsOf } from '../fields.ts'
import { coins } from '../sentence.ts'
import { type Role, readTemplate, type SentenceField } from '../template.ts'
import { initiaModules, type ProtocolWords, protocolWords } from './initiaProtocolWords.ts'

/** Calls of the protocols that Initia itself runs: locked staking, VIP, its exchanges and its names. */
export const initiaProtocols: ActionFamily = {
  types: ['MsgExecute', 'MsgExecuteJSON', 'MsgScript', 'MsgScriptJSON'].map((name) => `initia.move.v1.${name}`),
  read: (step) => {
    const words = wordsOf(step)
    if (!words) return null
    const write = (changes: ActorChanges) => draftOf(step, words, changes)
    return { ...write(noChanges), finish: write }
  },
}

function wordsOf({ message, events }: ExecutedMessage): ProtocolWords | undefined {
  // A script names no function. A new position can only be made by one.
  if (message.module_name === undefined) {
    return 'NewPositionEvent' in dataOfEvents(events) ? protocolWords['scripts::increase_liquidity'] : undefined
  }
  const [module, name] = ['module_name', 'function_name'].map((key) => fieldText(message, key))
  const known = Object.hasOwn(initiaModules, module ?? '') ? initiaModules[module ?? ''] : []
  const address = fieldText(message, 'module_address')
  // Anybody can publish a module of the same name.
  if (!known?.some((each) => isSameAddress(each, address))) return undefined
  const key = `${module}::${name}`
  return Object.hasOwn(protocolWords, key) ? protocolWords[key] : undefined
}

function draftOf(step: ExecutedMessage, [kind, template]: ProtocolWords, changes: ActorChanges) {
  const { message } = step
  const { paid, got } = changes
  const names = ['module_address', 'module_name', 'function_name'].map((key) => fieldText(message, key))
  const own = { paid: amountRole('amounts', paid), got: amountRole('received', got), ...roles }
  const draft = {
    ...readTemplate(kind, template, dataOfEvents(step.events), own),
    actor: fieldText(message, 'sender'),
    contract: fieldText(message, 'module_address'),
    function: names.includes(null) ? null : names.join('::'),
  }
  return withChanges(draft, changes)
}

const addresses: ReadonlySet<string | null> = new Set(Object.values(initiaModules).flat().map(bytesOf))

/** The data of the first event of each type that these modules emitted, by the name of the type. */
function dataOfEvents(events: readonly ChainEvent[]): Fields {
  const data: Record<string, Fields> = {}
  for (const event of eventsOfType(events, 'move')) {
    const [address = '', , name = ''] = (attributeOf(event, 'type_tag') ?? '').split('::')
    if (Object.hasOwn(data, name) || !addresses.has(bytesOf(address))) continue
    data[name] = fieldsOf(parsed(attributeOf(event, 'data') ?? ''))
  }
  return data
}

/** Amounts that the actor paid or got, in any field. */
const amountRole =
  (part: 'amounts' | 'received', amounts: readonly ActionAmount[]): Role =>
  (): SentenceField | null =>
    amounts.length > 0 ? { piece: coins(amounts), parts: { [part]: amounts } } : null

const roles: Readonly<Record<string, Role>> = {
  /** A time in seconds since 1970. */
  date: (fields, key) => {
    const seconds = Number(fieldText(fields, key) ?? Number.NaN)
    const isDate = Number.isSafeInteger(seconds) && seconds > 0 && seconds < maxSeconds
    return isDate ? { piece: new Date(seconds * 1_000).toISOString().slice(0, 10) } : null
  },
  count: (fields, key) => {
    const { length } = itemsOf(fields[key])
    return length > 0 ? { piece: length === 1 ? '1 rollup' : `${length} rollups` } : null
  },
}

/** The end of the year 9999. */
const maxSeconds = 253_402_300_799
