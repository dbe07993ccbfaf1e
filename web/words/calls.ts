import { type ESTree, parseSync } from 'vite'

export interface Message {
  readonly key: string
  readonly start: number
  readonly end: number
  readonly value: string
}

/** The calls of `export const t = catalogue({…})` and `export default translation({…})`. */
export const callsOf = (source: string, file: string): ESTree.CallExpression[] =>
  parseSync(file, source).program.body.flatMap((statement) => {
    const call =
      statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement.type === 'ExportNamedDeclaration' &&
            statement.declaration?.type === 'VariableDeclaration'
          ? statement.declaration.declarations[0]?.init
          : undefined
    return call?.type === 'CallExpression' ? [call] : []
  })

/** The messages of one call. */
export function messagesOf(call: ESTree.CallExpression): Message[] {
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
