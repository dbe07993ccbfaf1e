import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { given, type Raw, text } from './search.ts'

/** An order such as `-created`. */
export type SortedBy<S extends string> = S | `-${S}`

/** The order named in the query string, if the list supports it. */
export const sortIn = <S extends string>(
  sorts: readonly S[],
  value: unknown,
): SortedBy<S> | undefined =>
  sorts.flatMap((name): SortedBy<S>[] => [name, `-${name}`]).find((sort) => sort === value)

/** Parameters of a list with a filter and an order; `q` is the text of the filter box. */
export const viewSearch =
  <S extends string>(sorts: readonly S[]) =>
  (raw: Raw) =>
    given({ q: text(raw.q), sort: sortIn(sorts, raw.sort), after: text(raw.after) })

interface View<S> {
  readonly q?: string
  readonly sort?: S
}

/** The query for a list. A filter whose term is incomplete, such as `state:`, is left out. */
export const wantedOf = <S>({ q: filter, sort }: View<S>, fields: readonly string[]) => ({
  ...(filter && parseFilter(filter, fields).length > 0 ? { filter } : {}),
  ...(sort ? { sort } : {}),
})
