import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compile } from '@lodge/shared/words/compile.ts'
import { type ESTree, type Plugin, parseSync } from 'vite'

const FOLDER = path.resolve(import.meta.dirname, '../../shared/src/words')
const AT_RUN_TIME = path.join(FOLDER, 'catalogue.ts')
const COMPILED = path.join(FOLDER, 'compiled.ts')

/** Parses the catalogues while the panel is built, so that no browser loads the parser. */
export function words(): Plugin {
  return {
    name: 'lodge-words',
    enforce: 'pre',
    load(id) {
      if (id === AT_RUN_TIME) return readFileSync(COMPILED, 'utf8')
      if (!/\/(words|names)(\.[a-z-]+)?\.ts$/.test(id)) return null
      return withCompiled(readFileSync(id, 'utf8'), id)
    },
  }
}

/** The source of a catalogue with each of its messages compiled. */
export function withCompiled(source: string, file: string): string {
  return messagesIn(source, file).reduceRight(
    (code, { start, end, value }) =>
      `${code.slice(0, start)}${JSON.stringify(compile(value))}${code.slice(end)}`,
    source,
  )
}

/** The messages that a catalogue declares, in their order. */
export const messagesIn = (source: string, file: string): Message[] =>
  parseSync(file, source).program.body.flatMap(messagesOf)

interface Message {
  readonly key: string
  readonly start: number
  readonly end: number
  readonly value: string
}

/** The messages of `export const t = catalogue({…})` or `export default translation({…})`. */
function messagesOf(statement: ESTree.Program['body'][number]): Message[] {
  const call =
    statement.type === 'ExportDefaultDeclaration'
      ? statement.declaration
      : statement.type === 'ExportNamedDeclaration' &&
          statement.declaration?.type === 'VariableDeclaration'
        ? statement.declaration.declarations[0]?.init
        : undefined
  if (call?.type !== 'CallExpression') return []
  const table = call.arguments[0]
  if (table?.type !== 'ObjectExpression') throw new Error('A catalogue is one object of messages')
  return table.properties.map((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier')
      throw new Error('A key is one name')
    const { key, value } = property
    if (value.type !== 'Literal' || typeof value.value !== 'string')
      throw new Error(`The message ${key.name} is not one string, in quotes`)
    return { key: key.name, start: value.start, end: value.end, value: value.value }
  })
}
