import { parseFilter, writeFilter } from '@lodge/shared/lists/filter.ts'
import { SERVER_FIELDS, SERVER_SORTS } from '@lodge/shared/lists/servers.ts'
import { urlOf } from '../../api.ts'
import { q } from '../../query.ts'
import { given, type Raw, text } from '../../routes/search.ts'

export type SortedBy = (typeof SERVER_SORTS)[number] | `-${(typeof SERVER_SORTS)[number]}`

const sortOf = (value: unknown): SortedBy | undefined =>
  SERVER_SORTS.flatMap((name) => [name, `-${name}` as const]).find((sort) => sort === value)

const WHOSE: Readonly<Record<string, string>> = { own: 'mine', shared: 'shared' }

/** The view in the address: `q` is the text of the filter box. */
export const serversSearch = (raw: Raw) => {
  const node = text(raw.node)
  const state = text(raw.status)
  const whose = WHOSE[text(raw.relation) ?? '']
  const terms = [
    text(raw.q),
    // As bookmarks have them from before there was a filter.
    node === undefined ? undefined : writeFilter([{ field: 'node', values: [node] }]),
    state === undefined ? undefined : writeFilter([{ field: 'state', values: state.split(',') }]),
    whose === undefined ? undefined : writeFilter([{ field: 'whose', values: [whose] }]),
  ].filter((one) => one !== undefined)
  return given({
    q: terms.length === 0 ? undefined : terms.join(' '),
    sort: sortOf(raw.sort),
    after: text(raw.after),
  })
}

export type ServersSearch = ReturnType<typeof serversSearch>

const wanted = ({ q: filter, sort }: ServersSearch) => ({
  ...(filter && parseFilter(filter, SERVER_FIELDS).length > 0 ? { filter } : {}),
  ...(sort ? { sort } : {}),
})

/** The query for the page of the server list in an address. */
export const serversQuery = (search: ServersSearch, limit = 50) =>
  q('GET /api/servers', {
    query: { limit, ...wanted(search), ...(search.after ? { after: search.after } : {}) },
  })

/** Every server of the view as CSV. */
export const serversCsv = (search: ServersSearch): string =>
  urlOf('/api/servers/export', { query: wanted(search) })
