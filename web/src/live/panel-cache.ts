import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * A query cache that repeats a query's first fetch if the query is invalidated while that is in
 * flight: the server may have prepared the response before the change. The library does so only for
 * queries that have data already.
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

/** Whether the first fetch of a query is in flight. */
export const isFirst = ({ state }: Query): boolean =>
  state.data === undefined && state.fetchStatus !== 'idle'
