import { parseSync } from 'vite'
import { visit } from './refusal-texts.ts'
import {
  calledName,
  namedFunctions,
  passingFunctions,
  propertiesOf,
  returnedBy,
  textsIn,
  textsSaid,
} from './source-texts.ts'

/** Error classes whose message explains a failure to people, with the index of that argument. */
const ERRORS = new Map([
  ...(['Permanent', 'DriverError', 'CopyRefused'] as const).map((name) => [name, 1] as const),
  ['FenceFailed', 0],
  ['NotUpdated', 0],
])

/** Functions whose second argument explains a failure or the progress of a job. */
const TELLING = new Set(['progress', 'tell', 'refused'])

/**
 * The texts about jobs in a source: why work fails (`new Permanent(code, detail)` and the like, `{
 * code, detail }`) and its progress (`progress(percent, detail)`, `{ step, detail }`).
 */
export function failureTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say, { program }) => {
    const passing = passingFunctions(program, ({ step, detail }) => (step ? detail : undefined))
    return (node) => {
      if (node.type === 'ObjectExpression') {
        const { code, step, state, percent, detail } = propertiesOf(node)
        if (code || step || state || percent) say(detail)
      }
      if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
        const at = ERRORS.get(node.callee.name)
        if (at !== undefined) say(node.arguments[at])
      }
      if (node.type !== 'CallExpression') return
      const name = calledName(node.callee)
      if (TELLING.has(name) && node.arguments.length === 2) say(node.arguments[1])
      if (name === 'note' && node.arguments.length === 1) say(node.arguments[0])
      const at = passing.get(name)
      if (at !== undefined) say(node.arguments[at])
    }
  })
}

/** The sentences of a source that only produces texts for people. */
export function sentencesOf(source: string, file: string): string[] {
  const { program } = parseSync(file, source)
  const texts: string[] = []
  visit(program, (node) => {
    if (node.type === 'Literal' || node.type === 'TemplateLiteral')
      texts.push(...textsIn(node, new Map()).filter((text) => /^(\p{Lu}|\p{Nd}|\{).* /u.test(text)))
  })
  return texts
}

/** Functions that return what a check found. */
const FINDING = new Set(['forwardingComplaint', 'storageComplaint'])

/** The results of checks of nodes and their remedies: `{ summary, remedy }` or `{ why, remedy }`. */
export function checkTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type === 'ObjectExpression') {
      const { summary, why, remedy } = propertiesOf(node)
      if (remedy) [summary, why, remedy].forEach(say)
    }
    if (node.type === 'NewExpression' && calledName(node.callee) === 'LibvirtUnavailable')
      say(node.arguments[0])
    // `check(id, why, remedy, state, fine)`
    if (node.type === 'CallExpression' && calledName(node.callee) === 'check')
      for (const at of [1, 2, 4]) say(node.arguments[at])
    for (const [name, body] of namedFunctions(node))
      if (FINDING.has(name)) returnedBy(body).forEach(say)
  })
}

/** Texts for operators: `{ title, detail }` of the overview, and the state of a disk. */
export function attentionTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type === 'ObjectExpression') {
      const { title, detail, level, summary } = propertiesOf(node)
      if (title && detail) [title, detail].forEach(say)
      if (level) say(summary)
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      if (node.id.name === 'concern') say(node.init ?? undefined)
  })
}

/** An agent's reasons why servers started or stopped. */
export function reasonTexts(source: string, file: string): string[] {
  return textsSaid(source, file, (say) => (node) => {
    if (node.type !== 'CallExpression' || calledName(node.callee) !== 'report') return
    const told = node.arguments[1]
    if (told?.type === 'ObjectExpression') say(propertiesOf(told).reason)
  })
}
