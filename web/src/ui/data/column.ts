import type { ListColumns, ListPreference } from '@lodge/shared/lists/preferences.ts'
import type { ReactNode } from 'react'

export interface Column<T> {
  /** Its id in saved arrangements: lower case and dashes. By default derived from the header. */
  readonly id?: string
  readonly header: string
  readonly cell: (row: T) => ReactNode
  /** `title` heads the card on narrow screens, `acts` is in its corner. Neither moves or hides. */
  readonly role?: 'title' | 'acts'
  /** Right-aligned, for numbers. */
  readonly right?: boolean
  readonly tight?: boolean
  /**
   * In a card: `head` shares the line below the title with the next of its kind, without a label,
   * `foot` the last line; `none` is left out. By default a labelled line of its own.
   */
  readonly card?: 'head' | 'foot' | 'none'
  /** Hidden between 768 and 1100 pixels. */
  readonly secondary?: boolean
  /** The sort order that a click on the header selects. */
  readonly sort?: string
  /** Whether the first click on the header sorts in descending order. */
  readonly highestFirst?: boolean
  /** Hidden until somebody chooses to see it. */
  readonly optional?: boolean
  /** In pixels; by default as wide as its content. */
  readonly width?: number | undefined
}

/** A column at its arranged position. */
export interface Arranged<T> {
  readonly id: string
  readonly column: Column<T>
  readonly shown: boolean
}

/** A list as somebody has arranged it, with functions that change the arrangement. */
export interface ArrangedList<T> {
  readonly kept: ListPreference
  /** All columns in their order. */
  readonly arranged: readonly Arranged<T>[]
  /** Those that are shown. */
  readonly columns: readonly Column<T>[]
  keep(change: Partial<ListPreference>): void
  arrangeAs(arranged: readonly Arranged<T>[]): void
  setWidth(column: Column<T>, px: number | null): void
}

export const columnId = ({ id, header }: Pick<Column<never>, 'id' | 'header'>): string =>
  id ?? header.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/**
 * All columns in the saved order. One that is not saved yet comes after the column that precedes it
 * in the list's own order.
 */
export function arrange<T>(columns: readonly Column<T>[], kept: ListColumns): Arranged<T>[] {
  const moves = columns.filter(({ role }) => role === undefined)
  const byId = new Map(moves.map((column) => [columnId(column), column]))
  const keptById = new Map(kept.map((one) => [one.id, one]))
  const order = [...keptById.keys()].filter((id) => byId.has(id))
  for (const [at, column] of moves.entries()) {
    const id = columnId(column)
    if (keptById.has(id)) continue
    const before = moves[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(columnId(before)) + 1, 0, id)
  }
  const fixed = (role: 'title' | 'acts'): Arranged<T>[] =>
    columns
      .filter((column) => column.role === role)
      .map((column) => {
        const id = columnId(column)
        const width = keptById.get(id)?.widthPx ?? column.width
        return { id, column: { ...column, width }, shown: true }
      })
  const movable = order.flatMap((id): Arranged<T>[] => {
    const column = byId.get(id)
    if (!column) return []
    const mine = keptById.get(id)
    const width = mine?.widthPx ?? column.width
    return [{ id, column: { ...column, width }, shown: mine?.shown ?? !column.optional }]
  })
  return [...fixed('title'), ...movable, ...fixed('acts')]
}

/**
 * The arrangement to save: columns that this list lacks and another one of the same name has, such as
 * the node of a server, stay after the column that they were saved after.
 */
export function keptOf<T>(arranged: readonly Arranged<T>[], before: ListColumns = []): ListColumns {
  const kept = arranged
    .filter(({ column }) => column.role !== 'acts')
    .map(({ id, shown, column }) => ({ id, shown, widthPx: column.width ?? null }))
  for (const [at, one] of before.entries()) {
    if (arranged.some(({ id }) => id === one.id)) continue
    const previous = before[at - 1]?.id
    kept.splice(kept.findIndex(({ id }) => id === previous) + 1, 0, one)
  }
  return kept
}

/** Moves a column one place; undefined if it cannot go further. */
export function moved<T>(
  arranged: readonly Arranged<T>[],
  id: string,
  by: -1 | 1,
): Arranged<T>[] | undefined {
  const at = arranged.findIndex((one) => one.id === id)
  const other = arranged[at + by]
  const one = arranged[at]
  if (!one || !other || one.column.role || other.column.role) return undefined
  return arranged.with(at, other).with(at + by, one)
}
