/** As much of Go's templates, as Helm runs them, as the chart uses: for machines that have no helm. An unknown word is a fault. */

type Value = unknown
type Scope = { dot: Value; root: Value; variables: Map<string, Value>[] }
export type Functions = Record<string, (...args: Value[]) => Value>

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; pipe: string }
  | { kind: 'set'; name: string; pipe: string; isNew: boolean }
  | { kind: 'if' | 'with'; branches: { pipe: string | null; body: Node[] }[] }
  | { kind: 'range'; key?: string; value?: string; pipe: string; body: Node[] }

type Token = { text: string } | { action: string }

const tokensOf = (source: string): Token[] => {
  const tokens: Token[] = []
  let at = 0
  let trimNext = false
  for (const match of source.matchAll(/\{\{(-?)\s*(\/\*[\s\S]*?\*\/|[\s\S]*?)\s*(-?)\}\}/g)) {
    const [all, before, action = '', after] = match
    let text = source.slice(at, match.index)
    if (trimNext) text = text.trimStart()
    if (before) text = text.trimEnd()
    tokens.push({ text })
    if (!action.startsWith('/*')) tokens.push({ action })
    at = match.index + all.length
    trimNext = after !== ''
  }
  tokens.push({ text: trimNext ? source.slice(at).trimStart() : source.slice(at) })
  return tokens
}

/** Words of a pipe: strings, brackets and bars stand alone. */
const wordsOf = (pipe: string): string[] => pipe.match(/"(?:[^"\\]|\\.)*"|[()|]|[^\s()|"]+/g) ?? []

class Parser {
  private at = 0
  readonly defined = new Map<string, Node[]>()
  constructor(private readonly tokens: Token[]) {}

  parse(): Node[] {
    const { nodes, end } = this.body()
    if (end !== undefined) throw new Error(`{{ ${end} }} ends nothing`)
    return nodes
  }

  private body(): { nodes: Node[]; end: string | undefined } {
    const nodes: Node[] = []
    for (let token = this.tokens[this.at++]; token; token = this.tokens[this.at++]) {
      if ('text' in token) nodes.push({ kind: 'text', text: token.text })
      else if (/^(end$|else\b)/.test(token.action)) return { nodes, end: token.action }
      else this.action(token.action, nodes)
    }
    return { nodes, end: undefined }
  }

  private block(): Node[] {
    const { nodes, end } = this.body()
    if (end !== 'end') throw new Error('a block has no end')
    return nodes
  }

  private action(action: string, nodes: Node[]): void {
    const [word = '', rest = ''] = [/^\S+/.exec(action)?.[0], action.replace(/^\S+\s*/, '')]
    if (word === 'define') return void this.defined.set(JSON.parse(rest) as string, this.block())
    if (word === 'if' || word === 'with') return void nodes.push({ kind: word, branches: this.branches(rest) })
    if (word === 'range') {
      const [, key, value, pipe = rest] = /^(?:(?:(\$\w+),\s*)?(\$\w+)\s*:=\s*)?(.*)$/s.exec(rest) ?? []
      return void nodes.push({ kind: 'range', ...(key && { key }), ...(value && { value }), pipe, body: this.block() })
    }
    const [, name, sign, pipe = ''] = /^(\$\w+)\s*(:?=)\s*(.*)$/s.exec(action) ?? []
    if (name) return void nodes.push({ kind: 'set', name, pipe, isNew: sign === ':=' })
    nodes.push({ kind: 'print', pipe: action })
  }

  private branches(first: string): { pipe: string | null; body: Node[] }[] {
    const branches: { pipe: string | null; body: Node[] }[] = []
    for (let pipe: string | null = first; ;) {
      const { nodes, end } = this.body()
      branches.push({ pipe, body: nodes })
      if (end === 'end') return branches
      if (end === undefined) throw new Error(`{{ if ${first} }} has no end`)
      pipe = end === 'else' ? null : end.replace(/^else if\s*/, '')
    }
  }
}

const isTrue = (value: Value): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : typeof value === 'object' && value !== null
      ? Object.keys(value).length > 0
      : Boolean(value)

const fieldOf = (value: Value, name: string): Value => {
  if (value === undefined || value === null) throw new Error(`.${name} of nothing`)
  return (value as Record<string, Value>)[name]
}

const entriesOf = (value: Value): [Value, Value][] => {
  if (Array.isArray(value)) return value.map((item, index) => [index, item])
  // Go ranges over a map in the order of its keys.
  return Object.entries((value ?? {}) as object).sort(([one], [other]) => (one < other ? -1 : 1))
}

export class Templates {
  private readonly defined = new Map<string, Node[]>()
  private readonly functions: Functions

  constructor(functions: Functions) {
    this.functions = {
      ...functions,
      include: (name, dot) => this.include(String(name), dot),
    }
  }

  /** Reads a file, and keeps what it defines. */
  read(source: string): (dot: Value) => string {
    const parser = new Parser(tokensOf(source))
    const nodes = parser.parse()
    for (const [name, body] of parser.defined) this.defined.set(name, body)
    return (dot) => this.render(nodes, { dot, root: dot, variables: [new Map()] })
  }

  private include(name: string, dot: Value): string {
    const body = this.defined.get(name)
    if (!body) throw new Error(`no template ${name}`)
    return this.render(body, { dot, root: dot, variables: [new Map()] })
  }

  private render(nodes: Node[], scope: Scope): string {
    return nodes.map((node) => this.renderOne(node, scope)).join('')
  }

  private within(body: Node[], scope: Scope, dot: Value, own: [string | undefined, Value][] = []): string {
    const named = own.filter((entry): entry is [string, Value] => entry[0] !== undefined)
    return this.render(body, { ...scope, dot, variables: [new Map(named), ...scope.variables] })
  }

  private renderOne(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'text':
        return node.text
      case 'print': {
        const value = this.value(node.pipe, scope)
        return value === undefined || value === null ? '' : String(value)
      }
      case 'set': {
        const holder = node.isNew ? scope.variables[0] : scope.variables.find((map) => map.has(node.name))
        if (!holder) throw new Error(`${node.name} is not declared`)
        holder.set(node.name, this.value(node.pipe, scope))
        return ''
      }
      case 'range':
        return entriesOf(this.value(node.pipe, scope))
          .map(([key, value]) =>
            this.within(node.body, scope, value, [
              [node.key, key],
              [node.value, value],
            ]),
          )
          .join('')
      case 'if':
      case 'with':
        for (const { pipe, body } of node.branches) {
          const value = pipe === null ? true : this.value(pipe, scope)
          if (isTrue(value)) return this.within(body, scope, node.kind === 'with' && pipe !== null ? value : scope.dot)
        }
        return ''
    }
  }

  private value(pipe: string, scope: Scope): Value {
    const words = wordsOf(pipe)
    const value = this.pipeline(words, scope)
    if (words.length > 0) throw new Error(`${pipe}: not understood from ${words.join(' ')}`)
    return value
  }

  private pipeline(words: string[], scope: Scope): Value {
    let value: Value
    for (let isFirst = true; ; isFirst = false) {
      value = this.call(words, scope, isFirst ? [] : [value])
      if (words[0] !== '|') return value
      words.shift()
    }
  }

  private call(words: string[], scope: Scope, last: Value[]): Value {
    const [word = ''] = words
    const called = /^[a-zA-Z]\w*$/.test(word) ? this.functions[word] : undefined
    if (called) words.shift()
    else if (last.length > 0) throw new Error(`no function ${word}`)
    const args: Value[] = []
    while (words.length > 0 && words[0] !== '|' && words[0] !== ')') args.push(this.operand(words, scope))
    const [method, ...rest] = args
    if (typeof method === 'function') return (method as Functions[string])(...rest, ...last)
    if (!called && args.length !== 1) throw new Error(`no function ${word}`)
    return called ? called(...args, ...last) : args[0]
  }

  private operand(words: string[], scope: Scope): Value {
    const word = words.shift() ?? ''
    if (word === '(') {
      const value = this.pipeline(words, scope)
      const close = words.shift() ?? ''
      if (close !== ')') throw new Error('a bracket is not closed')
      // `(index .Values $name).field`: the rest of the word behind the bracket.
      return words[0]?.startsWith('.') && words[0].length > 1 ? this.path(value, words.shift() ?? '') : value
    }
    if (word.startsWith('"')) return JSON.parse(word)
    if (/^-?\d+$/.test(word)) return Number(word)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === '.') return scope.dot
    if (word.startsWith('.')) return this.path(scope.dot, word)
    const [, name = '', path = ''] = /^(\$\w*)((?:\.\w+)*)$/.exec(word) ?? []
    if (name === '$') return this.path(scope.root, path)
    const holder = scope.variables.find((map) => map.has(name))
    if (holder) return this.path(holder.get(name), path)
    const called = this.functions[word]
    if (called) return called()
    throw new Error(`${word} is not known`)
  }

  private path(value: Value, path: string): Value {
    return path.split('.').filter(Boolean).reduce(fieldOf, value)
  }
}
