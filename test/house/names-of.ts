import { compile } from '@lodge/shared/words/compile.ts'
import { ORDINAL, type Part, PLURAL, SELECT } from '@lodge/shared/words/message.ts'

/** The names of a message's arguments and tags, as one text; undefined without a message. */
export function namesOf(message: string | undefined): string | undefined {
  if (message === undefined) return undefined
  const compiled = compile(message)
  const found = typeof compiled === 'string' ? [] : inside(compiled.slice(1) as Part[])
  return [...new Set(found)].sort().join()
}

const inside = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if (typeof part === 'string' || typeof part === 'number') return []
    const [name, , more] = part
    if (Array.isArray(more)) return [`<${name}>`, ...inside(more)]
    const options = part[1] === PLURAL || part[1] === ORDINAL || part[1] === SELECT ? part[2] : {}
    return [name, ...Object.values(options).flatMap(inside)]
  })
