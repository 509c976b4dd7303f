import { z } from 'zod'
import { messageOf } from '#kit/errors'
import { type FollowedDocument, readFollowed } from './followed.ts'
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
  readonly followed: FollowedDocument
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

const text = z.string('has to be a text').min(1, 'is empty')
const chats = Object.keys(templates) as [keyof typeof templates]
const objectFault: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'unrecognized_keys' ? `has an unknown part \`${issue.keys?.[0]}\`` : 'has to be an object'

const hookSchema = z.strictObject(
  {
    ...{ url: text, document: text, name: text.regex(/^[\w-]{1,64}$/, 'has letters, digits, _ and -, 64 at most') },
    secret: z.union([text, z.array(text)], 'has to be a text, or a list of texts').default([]),
    variables: z.record(z.string(), z.unknown(), 'has to be an object').default({}),
    template: z.enum(chats, `is one of ${chats.join(', ')}`).optional(),
    chatId: z.union([text, z.number()], 'has to be a text or a number').transform(String).optional(),
  },
  { error: objectFault },
)

const port = z.int('has to be a number').min(1, 'is no port').max(65_535, 'is no port')
const fileSchema = z.strictObject(
  {
    ...{ url: text, hooks: z.array(hookSchema, 'has to be a list of hooks').min(1, 'is empty') },
    allowPrivate: z.boolean('has to be true or false, without quotes').default(false),
    ports: z.array(port, 'has to be a list of numbers').default([]),
  },
  { error: objectFault },
)

/**
 * Reads a file of hooks.
 * @throws Error that says which part of it is wrong.
 */
export function readConfig(contents: string, sources: ConfigSources): HooksConfig {
  const read = fileSchema.safeParse(JSON.parse(contents))
  if (!read.success) throw new Error(read.error.issues.map(sentenceOf).join('\n'))
  const { url, hooks, allowPrivate, ports } = read.data
  const rules = { allowsPrivate: allowPrivate, ports }
  const names = hooks.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new Error(`Two hooks have the name ${twice}. Each needs one of its own.`)
  const all = hooks.map((hook) => {
    try {
      return readHook(hook, rules, sources)
    } catch (error) {
      throw new Error(`The hook ${hook.name} is wrong. ${messageOf(error)}`)
    }
  })
  return { url: textOf(url, sources), hooks: all, rules }
}

/** What the schema cannot know: the environment, other files, and what parts mean together. */
function readHook(fields: z.output<typeof hookSchema>, rules: PostRules, sources: ConfigSources): Hook {
  const { name, variables, chatId, template: chat } = fields
  const url = textOf(fields.url, sources)
  checkReceiver(url, rules)
  const secrets = [fields.secret].flat().map((each) => textOf(each, sources))
  if (secrets.length === 0 && !chat) throw new Error('It needs a `secret`, so that its receiver can tell forgeries.')
  for (const each of secrets) keyOf(each)
  if (chat === 'telegram' && chatId === undefined) throw new Error('It needs a `chatId`.')
  const given = textOf(fields.document, sources)
  const followed = readFollowed(given.endsWith('.graphql') ? sources.readFile(given) : given)
  return { name, url, secrets, variables, followed, chatId, template: chat && templates[chat] }
}

/** A fault as a sentence with the path of its part, such as `hooks[0].url`. */
function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `${place === '' ? 'The file of hooks' : `\`${place.slice(1)}\``} ${message}.`
}

/** A text, or with `env:NAME` that of a variable of the environment: URLs of chats are secrets too. */
export function textOf(value: string, { env }: Pick<ConfigSources, 'env'>): string {
  const [, variable] = /^env:(\w+)$/.exec(value) ?? []
  const found = variable === undefined ? value : env[variable]
  if (found) return found
  throw new Error(`The environment has no ${variable}.`)
}
