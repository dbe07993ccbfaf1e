import { namedFunctions, propertiesOf, returnedBy, textsSaid } from './source-texts.ts'

/**
 * The notes of a source about a document that it parses: `warnings.push({ path, detail })`,
 * `faults.push(detail)`.
 */
export function noteTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return
    const { object, property } = node.callee
    if (object.type !== 'Identifier' || !/^(warnings|faults)$/.test(object.name)) return
    if (property.type !== 'Identifier' || property.name !== 'push') return
    const [note] = node.arguments
    say(note?.type === 'ObjectExpression' ? propertiesOf(note).detail : note)
  })
}

/** Functions that return why a message was not delivered. */
const SAYING = new Set(['errorOf', 'reasonOf'])

/** The texts of a channel's log: `{ error }`, and why an address is not used. */
export function deliveryTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type === 'ObjectExpression') say(propertiesOf(node).error)
    if (node.type === 'NewExpression' && node.callee.type === 'Identifier')
      if (node.callee.name === 'EgressRefused') node.arguments.forEach(say)
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier')
      if (node.callee.name === 'failQueued') say(node.arguments[2])
    for (const [name, body] of namedFunctions(node))
      if (SAYING.has(name)) returnedBy(body).forEach(say)
  })
}

/**
 * Why something is not possible: `{ target, why }`, `{ whyNot… }`, and results of functions and
 * constants named `why…`.
 */
export function hindranceTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type === 'ObjectExpression') {
      const { target, why, ...others } = propertiesOf(node)
      if (target) say(why)
      for (const [name, other] of Object.entries(others)) if (name.startsWith('why')) say(other)
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      if (node.id.name.startsWith('why')) say(node.init ?? undefined)
    for (const [name, body] of namedFunctions(node))
      if (name.startsWith('why')) returnedBy(body).forEach(say)
  })
}

/**
 * Why an import skips records or fails: `skip(why)`, `skipped(kind, id, about, why)`, `{ refusal }`,
 * `new ImportRefused(why)`, and the result of `renewalOf`.
 */
export function importTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type === 'ObjectExpression') say(propertiesOf(node).refusal)
    if (node.type === 'NewExpression' && node.callee.type === 'Identifier')
      if (node.callee.name === 'ImportRefused') say(node.arguments[0])
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
      if (node.callee.name === 'skip') say(node.arguments[0])
      if (node.callee.name === 'skipped') say(node.arguments[3])
    }
    for (const [name, body] of namedFunctions(node))
      if (name === 'renewalOf') returnedBy(body).forEach(say)
  })
}
