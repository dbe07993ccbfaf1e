import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * The query cache, in which a first answer that is under way is asked for once more when something
 * invalidates it: the server may have prepared it before the change. The library does that only for
 * queries that already have an answer.
 */
export class PanelCache extends QueryClient {
  readonly #again = new Set<Query>()

  override async invalidateQueries<TKey extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<TKey>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const overtaken = this.getQueryCache()
      .findAll(filters)
      .filter((query) => isFirst(query) && !this.#again.has(query))
    const done = super.invalidateQueries(filters, options)
    await Promise.all([done, ...overtaken.map((query) => this.#afterFirst(query, options))])
  }

  async #afterFirst(query: Query, options?: InvalidateOptions): Promise<void> {
    this.#again.add(query)
    await query.promise?.catch(() => undefined)
    this.#again.delete(query)
    await super.invalidateQueries({ predicate: (one) => one === query }, options)
  }
}

/** Whether the first answer of a query is under way. */
export const isFirst = ({ state }: Query): boolean =>
  state.data === undefined && state.fetchStatus !== 'idle'
