import type { QueryClient } from '@tanstack/react-query'
import type { Key } from '../api.ts'
import { isFirst } from './panel-cache.ts'

interface Row {
  readonly id: string
}
interface List<T extends Row> {
  readonly items: readonly T[]
  readonly nextCursor?: string | null
}

/** Rows of one kind wherever they are cached: in the pages of their list and by id. */
export interface LiveRows<T extends Row = never> {
  /** Changes the row; true when any list contained it. */
  change(client: QueryClient, id: string, next: (old: T) => T): boolean
  /** Inserts or replaces a row. `merge` combines it with the cached one. */
  put(client: QueryClient, row: T, merge?: (old: T) => T): void
  remove(client: QueryClient, id: string): void
}

/** The cached rows of a list endpoint and of the endpoint for one of them. */
export function liveRows<T extends Row>(list: Key<'GET'>, one: Key<'GET'>): LiveRows<T> {
  const change: LiveRows<T>['change'] = (client, id, next) => {
    client.setQueryData<T>([one, { params: { id } }], (old) => (old ? next(old) : old))
    let known = false
    client.setQueriesData<List<T>>({ queryKey: [list] }, (old) => {
      if (!old?.items.some((row) => row.id === id)) return old
      known = true
      return { ...old, items: old.items.map((row) => (row.id === id ? next(row) : row)) }
    })
    return known
  }
  return {
    change,
    put(client, row, merge = () => row) {
      if (!change(client, row.id, merge)) fetchCompleteLists(client, list)
      // A fetch in flight may not include this change yet.
      const given = { params: { id: row.id } }
      for (const queryKey of [[list], [one, given]])
        void client.invalidateQueries({ queryKey, predicate: isFirst })
    },
    remove(client, id) {
      client.setQueriesData<List<T>>({ queryKey: [list] }, (old) =>
        old ? { ...old, items: old.items.filter((row) => row.id !== id) } : old,
      )
      // A page that shows it learns that it is gone.
      void client.invalidateQueries({ queryKey: [one, { params: { id } }] })
    },
  }
}

/** A new row belongs in every unfiltered list, so those are fetched again. */
function fetchCompleteLists(client: QueryClient, list: Key<'GET'>): void {
  void client.invalidateQueries({
    queryKey: [list],
    predicate: (query) => {
      const data = query.state.data as List<Row> | undefined
      return data !== undefined && (data.nextCursor === null || data.nextCursor === undefined)
    },
  })
}
