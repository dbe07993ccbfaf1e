import { type ESTree, parseSync } from 'vite'
import { visit, withNames } from './refusal-texts.ts'

type Functions = ESTree.ArrowFunctionExpression | ESTree.Function
type Constants = ReadonlyMap<string, readonly ESTree.Expression[]>

/**
 * The texts that a source produces, by node.
 * @param teller is called once to create a visitor, which returns the texts of a node
 */
export function textsSaid(
  source: string,
  file: string,
  teller: (
    say: (given: ESTree.Node | null | undefined) => void,
    about: { readonly program: ESTree.Program; readonly constants: Constants },
  ) => (node: ESTree.Node) => void,
): string[] {
  const { program } = parseSync(file, source)
  const constants = constantsOf(program)
  const texts: string[] = []
  const say = (given: ESTree.Node | null | undefined) =>
    void texts.push(...textsIn(given, constants))
  visit(program, teller(say, { program, constants }))
  return texts
}

/** The last name of a callee: `b` of `b()` and `a.b()`; empty for anything else. */
export const calledName = (callee: ESTree.Expression | ESTree.Super): string =>
  callee.type === 'Identifier'
    ? callee.name
    : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      ? callee.property.name
      : ''

/** The initializers of each name in a file; several functions may use the same name. */
function constantsOf(program: ESTree.Program): Constants {
  const found = new Map<string, ESTree.Expression[]>()
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return
    const value = plain(node.init)
    found.set(node.id.name, [...(found.get(node.id.name) ?? []), value])
  })
  return found
}

/** An expression without TypeScript's assertions. */
const plain = (given: ESTree.Expression): ESTree.Expression =>
  given.type === 'TSAsExpression' || given.type === 'TSSatisfiesExpression'
    ? plain(given.expression)
    : given

/**
 * The texts that an expression may evaluate to, with `{a}`, `{b}`… for values; not those that consist
 * only of values.
 */
export const textsIn = (
  given: ESTree.Node | null | undefined,
  constants: Constants,
): readonly string[] =>
  all(given, constants)
    .map((text) => text.trim())
    .filter((text) => /\p{L}/u.test(withoutNames(text)))

const withoutNames = (text: string): string => text.replaceAll(/\{[a-m]\}/g, '')

function all(given: ESTree.Node | null | undefined, constants: Constants): string[] {
  switch (given?.type) {
    case 'Literal':
      return typeof given.value === 'string' && given.value !== '' ? [given.value] : []
    case 'TemplateLiteral':
      return [withNames(given)]
    case 'ConditionalExpression':
      return [...all(given.consequent, constants), ...all(given.alternate, constants)]
    case 'ParenthesizedExpression':
      return all(given.expression, constants)
    case 'LogicalExpression':
      return [...all(given.left, constants), ...all(given.right, constants)]
    case 'ArrayExpression':
      // An error is preceded by the part of the target.
      return given.elements.length === 2 ? all(given.elements[1], constants) : []
    case 'CallExpression':
      // `text.trim()`
      if (given.callee.type === 'MemberExpression' && given.arguments.length === 0)
        return all(given.callee.object, constants)
      // `unless(fine, sentence)`
      return given.callee.type === 'Identifier' && given.callee.name === 'unless'
        ? all(given.arguments[1], constants)
        : []
    case 'Identifier':
      return (constants.get(given.name) ?? [])
        .filter(({ type }) =>
          /^(Literal|TemplateLiteral|ConditionalExpression|BinaryExpression)$/.test(type),
        )
        .flatMap((one) => all(one, constants))
    case 'MemberExpression':
      // One of several, such as `BECAUSE[why]`.
      return given.computed
        ? objectsIn(given.object, constants).flatMap((one) =>
            Object.values(propertiesOf(one)).flatMap((text) => all(text, constants)),
          )
        : []
    case 'BinaryExpression':
      return joined(all(given.left, constants), all(given.right, constants))
    default:
      return []
  }
}

/** Two concatenated parts, neither of which has alternatives. */
const joined = (left: readonly string[], right: readonly string[]): string[] =>
  left.length === 1 && right.length === 1 ? [`${left[0]}${right[0]}`] : []

/** The object literals of an expression, also through names. */
export const objectsIn = (given: ESTree.Node, constants: Constants): ESTree.ObjectExpression[] =>
  given.type === 'ObjectExpression'
    ? [given]
    : given.type === 'Identifier'
      ? (constants.get(given.name) ?? []).filter((one) => one.type === 'ObjectExpression')
      : []

type Properties = Partial<Record<string, ESTree.Node>>

/** The properties of an object with plain names. */
export function propertiesOf({ properties }: ESTree.ObjectExpression): Properties {
  return Object.fromEntries(
    properties.flatMap((one) =>
      one.type === 'Property' && one.key.type === 'Identifier' ? [[one.key.name, one.value]] : [],
    ),
  )
}

/** The functions that a node refers to. */
export function namedFunctions(node: ESTree.Node): [string, Functions][] {
  if (node.type === 'FunctionDeclaration' && node.id) return [[node.id.name, node]]
  const named =
    node.type === 'VariableDeclarator' && node.id.type === 'Identifier'
      ? ([node.id.name, node.init] as const)
      : node.type === 'Property' && node.key.type === 'Identifier'
        ? ([node.key.name, node.value] as const)
        : undefined
  const [name, body] = named ?? []
  return name !== undefined &&
    (body?.type === 'ArrowFunctionExpression' || body?.type === 'FunctionExpression')
    ? [[name, body]]
    : []
}

/** Functions that pass an argument on as a text, and the index of that argument. */
export function passingFunctions(
  program: ESTree.Program,
  passedIn: (properties: Properties) => ESTree.Node | undefined,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  visit(program, (node) => {
    for (const [name, body] of namedFunctions(node)) {
      const names = body.params.map((one) => (one.type === 'Identifier' ? one.name : ''))
      visit(body.body, (inner) => {
        if (inner.type !== 'ObjectExpression') return
        const passed = passedIn(propertiesOf(inner))
        const at = passed?.type === 'Identifier' ? names.indexOf(passed.name) : -1
        if (at >= 0) found.set(name, at)
      })
    }
  })
  return found
}

/** The expressions that a function returns. */
export function returnedBy(body: Functions): ESTree.Node[] {
  if (body.type === 'ArrowFunctionExpression' && body.body?.type !== 'BlockStatement')
    return body.body ? [body.body] : []
  const found: ESTree.Node[] = []
  visit(body.body, (node) => {
    if (node.type === 'ReturnStatement' && node.argument) found.push(node.argument)
  })
  return found
}
