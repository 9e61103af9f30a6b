import { sep } from 'node:path'
import ts from 'typescript'

const { NodeBuilderFlags: Flag, SymbolFlags, SyntaxKind } = ts
const flags =
  Flag.NoTruncation |
  Flag.InTypeAlias |
  Flag.UseAliasDefinedOutsideCurrentScope |
  Flag.UseSingleQuotesForStringLiteralType |
  Flag.UseTypeOfFunction |
  Flag.MultilineObjectLiterals

const fileOf = (node) => node.getSourceFile().fileName
const isOurs = (symbol) =>
  symbol?.declarations?.some(
    (node) => fileOf(node).includes(`${sep}libs${sep}`) && !fileOf(node).includes('node_modules'),
  )
const isOfZod = (symbol) => symbol?.declarations?.some((node) => fileOf(node).includes('node_modules/zod/'))

/** Names each type that is inferred from a schema by its alias, so that no types of the schema library remain. */
const nameAliases = (program, checker) => {
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || file.fileName.includes('node_modules')) continue
    for (const statement of file.statements) {
      if (!ts.isTypeAliasDeclaration(statement) || statement.typeParameters) continue
      const symbol = checker.getSymbolAtLocation(statement.name)
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      const isNameable =
        type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection) && !(type.flags & ts.TypeFlags.Boolean)
      if (isNameable && !isOurs(type.aliasSymbol))
        Object.assign(type, { aliasSymbol: symbol, aliasTypeArguments: undefined })
    }
  }
}

const described = (node, type, checker) => {
  if (!ts.isTypeLiteralNode(node)) return node
  for (const member of node.members) {
    const told = type.getProperty(member.name?.text ?? '')?.getDocumentationComment(checker)
    const text = ts.displayPartsToString(told)
    if (text !== '') ts.addSyntheticLeadingComment(member, SyntaxKind.MultiLineCommentTrivia, `* ${text} `, true)
  }
  return node
}

/** Names every destructured parameter `options`, because the names of its parts are internal. */
const tidied = (node, noted) =>
  ts.visitEachChild(
    node,
    (child) => {
      if (ts.isTypeReferenceNode(child)) noted(child.typeName)
      if (!ts.isParameter(child) || ts.isIdentifier(child.name)) return tidied(child, noted)
      const { dotDotDotToken, questionToken, type } = child
      return tidied(ts.factory.createParameterDeclaration([], dotDotDotToken, 'options', questionToken, type), noted)
    },
    undefined,
  )

/** Returns the types of `entry` as one file without imports. Each type appears only once. */
export const declarationsOf = (entry, config) => {
  const { options } = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )
  const program = ts.createProgram([entry], options)
  const checker = program.getTypeChecker()
  nameAliases(program, checker)
  const blank = ts.createSourceFile('blank.ts', '', ts.ScriptTarget.Latest)
  const printer = ts.createPrinter({ removeComments: false })
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))
  const wanted = exported.map((symbol) =>
    symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  )
  const values = new Set(wanted)
  const types = new Map()

  const noted = (name) => {
    const { symbol } = ts.isQualifiedName(name) ? name.right : name
    if (isOfZod(symbol)) throw new Error(`${symbol.name} of zod would be seen from outside: give the type a name`)
    if (!isOurs(symbol)) return
    const same = types.get(symbol.name)
    if (same && same !== symbol) throw new Error(`two types are called ${symbol.name}`)
    if (same) return
    types.set(symbol.name, symbol)
    if (!values.has(symbol)) wanted.push(symbol)
  }
  const print = (type) => {
    const node = checker.typeToTypeNode(type, undefined, flags)
    if (ts.isTypeReferenceNode(node)) noted(node.typeName)
    return printer.printNode(ts.EmitHint.Unspecified, tidied(described(node, type, checker), noted), blank)
  }
  const classOf = (symbol) => {
    const [declaration] = symbol.declarations
    const parent = declaration.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? ''
    const own = [...symbol.members.values()].filter(({ flags }) => flags & SymbolFlags.Property)
    const members = own.map((member) => `  readonly ${member.name}: ${print(checker.getTypeOfSymbol(member))}`)
    const [made] = checker.getTypeOfSymbol(symbol).getConstructSignatures()
    const given = made.parameters.map((each) => `${each.name}: ${print(checker.getTypeOfSymbol(each))}`)
    return `declare class ${symbol.name}${parent} {\n${members.join('\n')}\n  constructor(${given.join(', ')})\n}`
  }
  const declarationOf = (symbol) => {
    if (symbol.flags & SymbolFlags.Class) return classOf(symbol)
    if (values.has(symbol) && symbol.flags & SymbolFlags.Variable)
      return `declare const ${symbol.name}: ${print(checker.getTypeOfSymbol(symbol))}`
    return `type ${symbol.name} = ${print(checker.getDeclaredTypeOfSymbol(symbol))}`
  }
  const texts = []
  for (const symbol of wanted) {
    const told = ts.displayPartsToString(symbol.getDocumentationComment(checker))
    texts.push(`${told === '' ? '' : `/** ${told} */\n`}export ${declarationOf(symbol)}\n`)
  }
  return texts.join('\n')
}
