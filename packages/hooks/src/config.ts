import { type Followed, readFollowed } from './followed.ts'
import { checkReceiver, type PostRules } from './post/post.ts'
import { keyOf } from './signature.ts'
import { type Template, templates } from './templates/templates.ts'

/** A subscription, and where its events are sent. */
export interface Hook {
  readonly name: string
  readonly url: string
  /** The newest first. Empty for a chat. */
  readonly secrets: readonly string[]
  readonly variables: Readonly<Record<string, unknown>>
  readonly followed: Followed
  readonly template: Template | undefined
  /** Which chat of Telegram gets the messages. */
  readonly chatId: string | undefined
}

/** A file of hooks. */
export interface HooksConfig {
  /** The graph. */
  readonly url: string
  readonly hooks: readonly Hook[]
  readonly rules: PostRules
}

/** What a file of hooks is read with. */
export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The text of a file beside that of the hooks. */
  readFile(name: string): string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a file of hooks.
 * @throws Error that says which part of it is wrong.
 */
export function readConfig(text: string, sources: ConfigSources): HooksConfig {
  const { url, hooks, allowPrivate = false, ports = [], ...unknown } = JSON.parse(text) as Fields
  refuseOthers(unknown, 'The file of hooks')
  if (!Array.isArray(hooks) || hooks.length === 0) throw new Error('The file of hooks has a list `hooks`.')
  if (!Array.isArray(ports)) throw new Error('`ports` is a list of numbers.')
  const rules = { allowsPrivate: allowPrivate === true, ports: ports.map(Number) }
  const all = hooks.map((hook: Fields) => readHook(hook, rules, sources))
  const names = new Set(all.map(({ name }) => name))
  if (names.size < all.length) throw new Error('Each hook needs a name of its own.')
  return { url: textOf(url, '`url`, the URL of the graph,', sources), hooks: all, rules }
}

function readHook(fields: Fields, rules: PostRules, sources: ConfigSources): Hook {
  const { name, url, secret, document, variables = {}, template, chatId, ...unknown } = fields
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    throw new Error('The name of a hook has letters, digits, _ and -.')
  const what = (part: string) => `${part} of the hook ${name}`
  try {
    refuseOthers(unknown, 'It')
    const receiver = textOf(url, '`url`', sources)
    checkReceiver(receiver, rules)
    const chat = toTemplate(template)
    const given = secret === undefined ? [] : Array.isArray(secret) ? secret : [secret]
    const secrets = given.map((each) => textOf(each, '`secret`', sources))
    if (secrets.length === 0 && !chat) throw new Error('It needs a `secret`, so that its receiver can tell forgeries.')
    for (const each of secrets) keyOf(each)
    const text = textOf(document, '`document`', sources)
    const source = text.endsWith('.graphql') ? sources.readFile(text) : text
    if (chat === templates.telegram && chatId === undefined) throw new Error('It needs a `chatId`.')
    return {
      ...{ name, url: receiver, secrets, variables: variables as Fields, template: chat },
      ...{ followed: readFollowed(source), chatId: chatId === undefined ? undefined : String(chatId) },
    }
  } catch (error) {
    throw new Error(`${what('The entry')} is wrong. ${error instanceof Error ? error.message : error}`)
  }
}

function toTemplate(name: unknown): Template | undefined {
  if (name === undefined) return undefined
  const found = Object.entries(templates).find(([known]) => known === name)
  if (!found) throw new Error(`\`template\` is one of ${Object.keys(templates).join(', ')}.`)
  return found[1]
}

/** A text, or with `env:NAME` that of a variable of the environment: URLs of chats are secrets too. */
export function textOf(value: unknown, what: string, { env }: Pick<ConfigSources, 'env'>): string {
  const [, variable] = /^env:(\w+)$/.exec(String(value ?? '')) ?? []
  const text = variable === undefined ? value : env[variable]
  if (typeof text === 'string' && text !== '') return text
  throw new Error(variable === undefined ? `${what} is missing.` : `The environment has no ${variable}.`)
}

function refuseOthers(unknown: Fields, what: string): void {
  const [name] = Object.keys(unknown)
  if (name !== undefined) throw new Error(`${what} has an unknown part \`${name}\`.`)
}
