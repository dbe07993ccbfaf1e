import type { ESTree } from 'vite'
import {
  namedFunctions,
  objectsIn,
  passingFunctions,
  propertiesOf,
  returnedBy,
  textsSaid,
} from './source-texts.ts'

/** Methods of schemas whose last argument may be an error message. */
const CHECKS = new Set(['refine', 'regex', 'min', 'max', 'length', 'email'])
/** Functions that return what is wrong with a value. */
const COMPLAINING = new Set([
  ...['faultOf', 'regexFault', 'declarationFault', 'activeFault', 'checkVariable'],
  ...['complain', 'complainOfKeys', 'atService', 'atLeast', 'atMost', 'cronProblem'],
  ...['whyNotMedium', 'wrongKind', 'whyNotIcon', 'whyNotSize', 'whyNotImageReference'],
])

/**
 * The field errors of a source: messages of its schemas' own checks, details of its `{ pointer,
 * detail }`, arguments of its functions that pass such a detail on, and results of those that check a
 * value. Values are `{a}`, `{b}`… as in refusals.
 */
export function fieldErrorTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say, { program, constants }) => {
    const passing = passingFunctions(program, ({ pointer, code, detail, message }) =>
      pointer ? detail : code ? message : undefined,
    )
    const sayMessages = (given: readonly ESTree.Node[]) => {
      for (const option of given.flatMap((one) => objectsIn(one, constants))) {
        const { message, error } = propertiesOf(option)
        say(message)
        say(error)
      }
    }
    const sayCalled = ({ callee, arguments: given }: ESTree.CallExpression) => {
      if (callee.type === 'Identifier') {
        const at = passing.get(callee.name)
        if (at !== undefined) say(given[at])
        if (callee.name === 'addIssue') sayMessages(given)
      }
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      const last = given.at(-1)
      if (CHECKS.has(name) && (given.length > 1 || name === 'email')) say(last)
      if (name === 'push' && callee.object.type === 'Identifier' && callee.object.name === 'faults')
        say(last?.type === 'ObjectExpression' ? propertiesOf(last).detail : last)
      if (source.includes("from 'zod'")) sayMessages(given)
    }
    return (node) => {
      if (node.type === 'CallExpression') sayCalled(node)
      for (const [name, body] of namedFunctions(node))
        if (COMPLAINING.has(name)) returnedBy(body).forEach(say)
      if (node.type !== 'ObjectExpression') return
      const { pointer, detail, faults } = propertiesOf(node)
      if (pointer) say(detail)
      if (faults?.type === 'ArrayExpression')
        for (const one of faults.elements)
          if (one?.type === 'ObjectExpression') say(propertiesOf(one).detail)
    }
  })
}
