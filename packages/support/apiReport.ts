import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  type Identifier,
  isClassDeclaration,
  isExpressionWithTypeArguments,
  isIdentifier,
  isInterfaceDeclaration,
  isPropertyDeclaration,
  isQualifiedName,
  isTypeAliasDeclaration,
  isTypeQueryNode,
  isTypeReferenceNode,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import {
  API,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Symbol as TsSymbol,
  type Type,
} from 'typescript/unstable/sync'

/** What a name stands for, and the project whose settings apply to it. */
interface Named {
  readonly symbol: TsSymbol
  readonly project: Project
}

const root = join(import.meta.dirname, '../..')

/**
 * What a package exports, as TypeScript sees it: the names under each of its paths, then the declarations of these names
 * and of all types of this repository that they refer to. Comments and bodies of functions are left out. So are the
 * declarations of generated files, because the repository has these files too.
 */
export function apiReport(folder: string, configs = ['tsconfig.json']): string {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const api = new API({ cwd: folder })
  try {
    const openProjects = configs.map((config) => join(folder, config))
    const projects = api.updateSnapshot({ openProjects }).getProjects()
    const lists: string[] = []
    const texts = new Map<string, string>()
    for (const [path, { types }] of Object.entries<{ types?: string }>(exports)) {
      if (types === undefined) continue
      const exported = exportsOf(projects, join(folder, sourceOf(types)))
      lists.push([join(name, path), ...[...exported.keys()].toSorted()].join('\n  '))
      for (const named of exported.values()) addDeclarations(named, texts)
    }
    const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `${[...lists, ...sorted.map(([, text]) => text)].join('\n\n')}\n`
  } finally {
    api.close()
  }
}

/** The source of a file with types. What the client package shares is built with its whole path. */
const sourceOf = (types: string) =>
  types.replace('./dist/shared/packages/client/', '').replace('./dist/', 'src/').replace('.d.ts', '.ts')

/** What a file exports, in the first project that has it. */
function exportsOf(projects: readonly Project[], source: string): Map<string, Named> {
  for (const project of projects) {
    const { checker, program } = project
    const file = program.getSourceFile(source)
    const module = file && checker.getSymbolAtLocation(file)
    if (!module) continue
    const symbols = checker.getExportsOfModule(module)
    return new Map(symbols.map((symbol) => [symbol.name, { symbol, project }]))
  }
  throw new Error(`No project has ${source}.`)
}

/** Adds the declaration of a name and those that it refers to, each by its name and file. */
function addDeclarations({ symbol: name, project }: Named, texts: Map<string, string>): void {
  const isImported = (name.flags & SymbolFlags.Alias) !== 0
  const symbol = isImported ? project.checker.getAliasedSymbol(name) : name
  const file = relative(root, symbol.declarations[0]?.path ?? '')
  const key = `${symbol.name} ${file}`
  if (symbol.flags & SymbolFlags.TypeParameter || texts.has(key)) return
  if (/^\.\.|^$|node_modules\/|\/generated\//.test(file)) return
  // It may refer to itself.
  texts.set(key, '')
  const referred = new Set<TsSymbol>()
  const nodes = symbol.declarations.map((handle) => handle.resolve(project))
  // An overload is declared as often as it has signatures.
  const written = new Set(nodes.map((node) => node && textOf(node, { symbol, project }, (each) => referred.add(each))))
  texts.set(key, [...written].join('\n'))
  for (const each of referred) addDeclarations({ symbol: each, project }, texts)
}

/** The text of a declaration. Passes on the symbols that it refers to. */
function textOf(node: Node, { symbol, project }: Named, onReferred: (symbol: TsSymbol) => void): string {
  const { name } = symbol
  const { checker, emitter } = project
  const print = (made: Node | undefined) => {
    if (!made) throw new Error(`The type of ${name} cannot be written.`)
    for (const { text } of referencesOf(made)) {
      const referred = checker.resolveName(text, SymbolFlags.Type | SymbolFlags.Value, node)
      if (referred) onReferred(referred)
    }
    return emitter.printNode(made)
  }
  const printType = (type: Type | undefined) => print(type && checker.typeToTypeNode(type, node, format))
  if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) {
    const written = referencesOf(node)
    // A type that is taken from a value says nothing by itself, such as `keyof typeof table`.
    if (isTypeAliasDeclaration(node) && written.some(({ parent }) => isTypeQueryNode(parent))) {
      const type = printType(checker.getDeclaredTypeOfSymbol(symbol))
      const parameters = node.typeParameters?.map((each) => emitter.printNode(each)) ?? []
      const generic = parameters.length > 0 ? `<${parameters.join(', ')}>` : ''
      return `type ${name}${generic} = ${type.replaceAll('" | "', '"\n    | "')};`
    }
    for (const referred of checker.getSymbolAtLocation(written)) if (referred) onReferred(referred)
    return emitter.printNode(node).replace(/^export /, '')
  }
  const type = checker.getTypeOfSymbol(symbol)
  if (!type || !isClassDeclaration(node)) return `const ${name}: ${printType(type)};`
  const constructors = checker
    .getSignaturesOfType(type, SignatureKind.Construct)
    .map((signature) => checker.signatureToSignatureDeclaration(signature, SyntaxKind.ConstructorType, node, format))
    .map((made) => `constructor: ${print(made)}`)
  const members = [...symbol.getMembers().values()]
    // What is private can change. The compiler numbers these names.
    .filter(({ flags, name }) => flags & SymbolFlags.ClassMember && !name.startsWith('__#'))
    .map((member) => {
      const declared = member.declarations[0]?.resolve(project)
      const modifiers = declared && isPropertyDeclaration(declared) ? declared.modifiers : undefined
      const words = modifiers?.map((modifier) => `${emitter.printNode(modifier)} `) ?? []
      const mark = member.flags & SymbolFlags.Optional ? '?' : ''
      return `${words.join('')}${member.name}${mark}: ${printType(checker.getTypeOfSymbol(member))}`
    })
  const lines = [...constructors, ...members].map((line) => `    ${line};\n`)
  const bases = node.heritageClauses?.map((clause) => emitter.printNode(clause)) ?? []
  return `class ${name}${bases.join('')} {\n${lines.join('')}}`
}

const format =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  NodeBuilderFlags.InTypeAlias

/** The names of the types and values that a declaration or a type refers to, at any depth. */
function referencesOf(node: Node): Identifier[] {
  const found: Identifier[] = []
  const add = (name: Node) => {
    const first = isQualifiedName(name) ? name.left : name
    if (isIdentifier(first)) found.push(first)
  }
  const visit = (each: Node) => {
    if (isTypeReferenceNode(each)) add(each.typeName)
    else if (isTypeQueryNode(each)) add(each.exprName)
    else if (isExpressionWithTypeArguments(each)) add(each.expression)
    each.forEachChild(visit)
  }
  visit(node)
  return found
}
