import { type Edit, type EditValue, replacement } from './edit.ts'

/** One step into a tree: a key, a list index, or every child. */
export type Step = { readonly key: string } | { readonly index: number } | { readonly every: true }
export type Place = readonly (string | number)[]

/** Parses `a.b[0].*.c`; inside a key, `~1` is a dot and `~0` a tilde. */
export function stepsOf(match: string): Step[] {
  const steps: Step[] = []
  for (const part of match.split('.')) {
    const [, name = '', indexes = ''] = /^(.*?)((?:\[\d{1,6}\])*)$/s.exec(part) ?? []
    if (name === '*') steps.push({ every: true })
    else if (name !== '') steps.push({ key: name.replaceAll('~1', '.').replaceAll('~0', '~') })
    else if (indexes === '') throw new Error(`"${match}" is not a path`)
    for (const [, index] of indexes.matchAll(/\[(\d+)\]/g)) steps.push({ index: Number(index) })
  }
  return steps
}

export type Tree = Record<string, unknown> | unknown[]

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

export interface Change {
  readonly place: Place
  readonly value: EditValue
}

/**
 * Applies one edit to a tree in place and returns the changes. Creates missing parents; behind `*`
 * it visits only existing children. Throws when the path passes through a scalar.
 */
export function applyEdit(root: Tree, edit: Edit): Change[] {
  const changes: Change[] = []
  visit(root, stepsOf(edit.match), [], edit, changes)
  return changes
}

function visit(
  node: Tree,
  steps: readonly Step[],
  place: Place,
  edit: Edit,
  changes: Change[],
): void {
  const [step, ...rest] = steps
  if (!step) return
  if ('every' in step) {
    for (const key of Array.isArray(node) ? node.keys() : Object.keys(node)) {
      const child = childOf(node, key)
      if (rest.length === 0) set(node, key, [...place, key], edit, changes)
      else if (isTree(child)) visit(child, rest, [...place, key], edit, changes)
    }
    return
  }
  const key = 'index' in step ? step.index : step.key
  const here = [...place, key]
  if (typeof key === 'number' && !Array.isArray(node))
    throw new Error(`${describe(place)} is not a list`)
  if (typeof key === 'string' && Array.isArray(node))
    throw new Error(`${describe(place)} is a list`)
  if (typeof key === 'number' && Array.isArray(node) && key > node.length) {
    throw new Error(`${describe(place)} has only ${node.length} items`)
  }
  if (rest.length === 0) {
    set(node, key, here, edit, changes)
    return
  }
  const child = childOf(node, key)
  if (isTree(child)) visit(child, rest, here, edit, changes)
  else if (edit.ifValue !== undefined) return
  else if (child === undefined || child === null) {
    const made: Tree = rest[0] && 'index' in rest[0] ? [] : {}
    visit(made, rest, here, edit, changes)
    if (changes.length > 0) put(node, key, made)
  } else throw new Error(`${describe(here)} is a plain value`)
}

const describe = (place: Place): string =>
  place.length === 0 ? 'The document' : `"${place.join('.')}"`

function childOf(node: Tree, key: string | number): unknown {
  if (Array.isArray(node)) return typeof key === 'number' ? node[key] : undefined
  return Object.hasOwn(node, key) ? node[key] : undefined
}

function put(node: Tree, key: string | number, value: unknown): void {
  if (Array.isArray(node)) node[Number(key)] = value
  else
    Object.defineProperty(node, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}

function set(node: Tree, key: string | number, place: Place, edit: Edit, changes: Change[]): void {
  const present = childOf(node, key)
  const known = present === undefined || isTree(present) ? undefined : String(present)
  const wanted = replacement(edit, known)
  if (wanted === undefined) return
  const value = coerceTo(present, wanted)
  if (present === value) return
  put(node, key, value)
  changes.push({ place, value })
}

/**
 * Converts a text to the type of the value it replaces; with no such value, integers become
 * numbers.
 */
function coerceTo(present: unknown, wanted: EditValue): EditValue {
  if (typeof wanted !== 'string') return wanted
  if (typeof present === 'string') return wanted
  if (typeof present === 'boolean' && ['true', 'false'].includes(wanted)) return wanted === 'true'
  if (typeof present === 'number' || typeof present === 'bigint') {
    return /^-?\d+(\.\d+)?$/.test(wanted) && Math.abs(Number(wanted)) <= Number.MAX_SAFE_INTEGER
      ? Number(wanted)
      : wanted
  }
  return /^-?(0|[1-9]\d{0,14})$/.test(wanted) ? Number(wanted) : wanted
}
