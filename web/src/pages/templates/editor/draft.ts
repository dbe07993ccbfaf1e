/** A path in a document: names of fields and indexes of lists. */
export type Path = readonly (string | number)[]

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isList(value)

/** The value at a path; undefined if there is none. */
export function at(value: unknown, path: Path): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (isList(value)) return at(value[Number(first)], rest)
  return isRecord(value) && Object.hasOwn(value, first) ? at(value[first], rest) : undefined
}

/** A copy of the document with another value at a path; undefined removes the field or the entry. */
export function put(value: unknown, path: Path, next: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return next
  if (typeof first === 'number') {
    const list = isList(value) ? [...value] : []
    if (rest.length === 0 && next === undefined) return list.toSpliced(first, 1)
    list[first] = put(list[first], rest, next)
    return list
  }
  const record = isRecord(value) ? value : {}
  const inner = put(Object.hasOwn(record, first) ? record[first] : undefined, rest, next)
  if (inner !== undefined) return { ...record, [first]: inner }
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== first))
}

export const listAt = (value: unknown, path: Path): readonly unknown[] => {
  const found = at(value, path)
  return isList(found) ? found : []
}

export const textAt = (value: unknown, path: Path): string => {
  const found = at(value, path)
  if (typeof found === 'string') return found
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : ''
}

/** A copy of the list with one entry moved up or down. */
export function moved(list: readonly unknown[], from: number, to: number): readonly unknown[] {
  const entry = list[from]
  return list.toSpliced(from, 1).toSpliced(to, 0, entry)
}
