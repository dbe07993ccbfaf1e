import { type ESTree, parseSync } from 'vite'

/**
 * The refusals of a source: the details of its `new Problem(code, detail)`, of constructors of
 * subclasses, and `notFound(noun)`, with `{a}`, `{b}`… for values. A detail from another file is not
 * included, unless it is a constant of this file.
 */
export function refusalTexts(source: string, file: string): string[] {
  const { program } = parseSync(file, source)
  const constants = new Map<string, ESTree.Expression>()
  const details: ESTree.Expression[] = []
  const missing: string[] = []
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      constants.set(node.id.name, node.init)
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return
    const [first, detail] = node.arguments
    const name = node.callee.type === 'Identifier' ? node.callee.name : ''
    const isProblem = name === 'Problem' || node.callee.type === 'Super'
    if (isProblem && detail && detail.type !== 'SpreadElement') details.push(detail)
    if (name === 'notFound' && first?.type === 'Literal')
      missing.push(`There is no such ${first.value}`)
  })
  return [...details.flatMap((detail) => textsOf(detail, constants)), ...missing]
}

const NAMES = 'abcdefghijklm'

/** Visits every node in one, itself first. */
export function visit(node: unknown, see: (node: ESTree.Node) => void): void {
  if (node === null || typeof node !== 'object') return
  if ('type' in node) see(node as ESTree.Node)
  for (const inner of Object.values(node)) visit(inner, see)
}

/** The text of a template, with names in braces for its values. */
export const withNames = ({ quasis }: ESTree.TemplateLiteral): string =>
  quasis
    .map(({ value }, at) => (at === 0 ? value.cooked : `{${NAMES[at - 1]}}${value.cooked}`))
    .join('')

function textsOf(
  detail: ESTree.Expression,
  constants: ReadonlyMap<string, ESTree.Expression>,
): string[] {
  switch (detail.type) {
    case 'Literal':
      return typeof detail.value === 'string' ? [detail.value] : []
    case 'TemplateLiteral':
      return [withNames(detail)]
    case 'ConditionalExpression':
      return [...textsOf(detail.consequent, constants), ...textsOf(detail.alternate, constants)]
    case 'Identifier': {
      const constant = constants.get(detail.name)
      return constant?.type === 'Literal' || constant?.type === 'TemplateLiteral'
        ? textsOf(constant, constants)
        : []
    }
    default:
      return []
  }
}
