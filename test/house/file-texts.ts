import { calledName, namedFunctions, returnedBy, textsSaid } from './source-texts.ts'

/**
 * Functions with an argument that says why a file was left out, or an archive or a download refused,
 * and the index of that argument.
 */
const SAYING = new Map([
  ['skipped', 1],
  ['add', 1],
  ['invalid', 0],
])
/** Functions that return such a text. */
const RETURNING = /^(moveTo|why\w+)$/

/**
 * The texts of a node's file service: `new FileRefusal(code, detail)`, the meaning of system errors
 * (`ENOENT: [code, detail]`), and why something was left out.
 */
export function fileTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
      if (node.callee.name === 'FileRefusal') say(node.arguments[1])
      if (node.callee.name === 'EgressRefused') say(node.arguments[0])
    }
    if (
      node.type === 'Property' &&
      node.key.type === 'Identifier' &&
      /^E[A-Z]+$/.test(node.key.name)
    )
      say(node.value)
    if (node.type === 'CallExpression') {
      const at = SAYING.get(calledName(node.callee))
      if (at !== undefined) say(node.arguments[at])
      if (node.callee.type === 'Super' && file.endsWith('/download.ts')) say(node.arguments[0])
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      if (node.id.name === 'why') say(node.init ?? undefined)
    for (const [name, body] of namedFunctions(node))
      if (RETURNING.test(name)) returnedBy(body).forEach(say)
  })
}
