import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** Types that many share, which are read together on one page. */
const gathered = [
  {
    page: 'connections',
    title: 'Connections',
    is: (type) => /(Connection|Edge)$|^PageInfo$/.test(type.name),
  },
  { page: 'inputs', title: 'Inputs', is: isInputObjectType },
  { page: 'enums', title: 'Enums', is: isEnumType },
  { page: 'scalars', title: 'Scalars', is: isScalarType },
]

const roots = ['Query', 'Mutation', 'Subscription']

/** The page of a type, and its place on it. */
function linkTo(type) {
  if (isSpecifiedScalarType(type)) return `\`${type}\``
  const page = gathered.find(({ is }) => is(type))?.page
  const target = page ? `./${page}.md#${type.name.toLowerCase()}` : `./${type.name}.md`
  return `[\`${type}\`](${target})`
}

/** A type with its brackets, which leads to its page. */
const linked = (type) => {
  const name = getNamedType(type)
  return linkTo(name).replace(`\`${name}\``, `\`${type}\``)
}

/** Text in a cell of a table. Angle brackets would be elements of the page. */
const cell = (text) =>
  (text ?? '').replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '{ {')

const defaultOf = ({ astNode }) => {
  const node = astNode?.defaultValue
  if (!node) return ''
  const { start, end, source } = node.loc
  return ` Default: \`${source.body.slice(start, end)}\`.`
}

const deprecation = ({ deprecationReason }) => (deprecationReason ? ` **Deprecated**: ${cell(deprecationReason)}` : '')

const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')

function fieldsOf(type, level) {
  return Object.values(type.getFields())
    .map((field) => {
      const args = (field.args ?? []).map((arg) => [
        `\`${arg.name}\``,
        linked(arg.type),
        cell(arg.description) + defaultOf(arg) + deprecation(arg),
      ])
      return [
        `${level} ${field.name}`,
        `${linked(field.type)}`,
        cell(field.description) + deprecation(field),
        ...(args.length > 0 ? [table(['Argument', 'Type', 'Meaning'], args)] : []),
      ].join('\n\n')
    })
    .join('\n\n')
}

const rowsOf = (fields) =>
  fields.map((field) => [
    `\`${field.name}\``,
    ...(field.type ? [linked(field.type)] : []),
    cell(field.description) + defaultOf(field) + deprecation(field),
  ])

/** What stands below the heading of a type. */
function bodyOf(type, { schema, uses, screens, level }) {
  const parts = [cell(type.description)]
  if (isInterfaceType(type) || isUnionType(type)) {
    parts.push(`Can be ${schema.getPossibleTypes(type).map(linkTo).join(', ')}.`)
  }
  if (isObjectType(type) && type.getInterfaces().length > 0) {
    parts.push(`Is a ${type.getInterfaces().map(linkTo).join(', ')}.`)
  }
  const from = uses.get(type.name) ?? []
  const read = screens.get(type.name) ?? []
  if (from.length > 0) parts.push(`Reached by ${from.join(', ')}.`)
  if (read.length > 0 && !roots.includes(type.name)) {
    const links = read.map((name) => `[${name}](../documents.md#${name})`)
    parts.push(`Examples: ${links.join(', ')}.`)
  }
  if (isEnumType(type)) parts.push(table(['Value', 'Meaning'], rowsOf(type.getValues())))
  else if (isInputObjectType(type)) {
    parts.push(table(['Field', 'Type', 'Meaning'], rowsOf(Object.values(type.getFields()))))
  } else if (isObjectType(type) || isInterfaceType(type)) {
    parts.push(
      level === '#'
        ? fieldsOf(type, '##')
        : table(['Field', 'Type', 'Meaning'], rowsOf(Object.values(type.getFields()))),
    )
  }
  return parts.join('\n\n')
}

/** The documents that select fields of each type. */
function findScreens(schema, documents) {
  const screens = new Map()
  for (const [name, text] of Object.entries(documents)) {
    const found = new Set()
    const info = new TypeInfo(schema)
    const enter = () => void found.add(info.getParentType()?.name)
    visit(parse(text), visitWithTypeInfo(info, { Field: enter }))
    for (const type of found) screens.set(type, [...(screens.get(type) ?? []), name])
  }
  return screens
}

/** The fields that return each type. */
function findUses(types) {
  const uses = new Map()
  for (const type of types) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const { name } = getNamedType(field.type)
      const list = uses.get(name) ?? []
      uses.set(name, list)
      list.push(`${linkTo(type)}\`.${field.name}\``)
    }
  }
  return uses
}

/**
 * The pages of a schema by their file names: one for each type with fields, and one for each other kind. `documents`
 * are those of the screens by their names.
 */
export function schemaPages(schema, documents) {
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .filter((type) => !isSpecifiedScalarType(type))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const uses = findUses(types)
  const context = { schema, uses, screens: findScreens(schema, documents) }
  const pages = {}
  const isGathered = (type) => gathered.some(({ is }) => is(type))
  for (const type of types.filter((type) => !isGathered(type))) {
    pages[`${type.name}.md`] = `# ${type.name}\n\n${bodyOf(type, { ...context, level: '#' })}\n`
  }
  for (const { page, title, is } of gathered) {
    const parts = types
      .filter((type) => gathered.find((kind) => kind.is(type))?.page === page && is(type))
      .map((type) => `## ${type.name}\n\n${bodyOf(type, { ...context, level: '##' })}`)
    pages[`${page}.md`] = `# ${title}\n\n${parts.join('\n\n')}\n`
  }
  const objects = types.filter((type) => !isGathered(type) && !roots.includes(type.name))
  const link = (name) => ({ text: name, link: `/schema/${name}` })
  const groups = [
    { text: 'Operations', items: roots.map(link) },
    { text: 'Types', items: objects.map(({ name }) => link(name)) },
    {
      text: 'Shared',
      items: gathered.map(({ page, title }) => ({ text: title, link: `/schema/${page}` })),
    },
  ]
  pages['index.json'] = JSON.stringify(groups)
  pages['index.md'] = indexPage(groups)
  return pages
}

const indexPage = (groups) => `# Schema

Every type, field and argument of the graph, made from the schema that the gateway serves. \`/schema.graphql\` has it as one
text for code generators, and \`/schema.graphql?descriptions=false\` without the sentences.

${groups
  .map(({ text, items }) => {
    const links = items.map(({ text, link }) => `[${text}](${link.replace('/schema/', './')}.md)`)
    return `## ${text}\n\n${links.join(' · ')}`
  })
  .join('\n\n')}
`
