import { writeFilter } from '@lodge/shared/lists/filter.ts'
import { SERVER_FIELDS, SERVER_SORTS } from '@lodge/shared/lists/servers.ts'
import { urlOf } from '../../api.ts'
import { q } from '../../query.ts'
import { sortIn, wantedOf } from '../../routes/list-search.ts'
import { given, type Raw, text } from '../../routes/search.ts'

const WHOSE: Readonly<Record<string, string>> = { own: 'mine', shared: 'shared' }

/** Filter and order in the URL; `q` is the text of the filter box. */
export const serversSearch = (raw: Raw) => {
  const node = text(raw.node)
  const state = text(raw.status)
  const whose = WHOSE[text(raw.relation) ?? '']
  const terms = [
    text(raw.q),
    // For bookmarks from before there was a filter.
    node === undefined ? undefined : writeFilter([{ field: 'node', values: [node] }]),
    state === undefined ? undefined : writeFilter([{ field: 'state', values: state.split(',') }]),
    whose === undefined ? undefined : writeFilter([{ field: 'whose', values: [whose] }]),
  ].filter((one) => one !== undefined)
  return given({
    q: terms.length === 0 ? undefined : terms.join(' '),
    sort: sortIn(SERVER_SORTS, raw.sort),
    after: text(raw.after),
  })
}

export type ServersSearch = ReturnType<typeof serversSearch>

/** The customer or node whose servers are listed. */
export type ServersOf = { readonly ownerId: string } | { readonly nodeId: string }

const wanted = (search: ServersSearch, only?: ServersOf) => ({
  ...wantedOf(search, SERVER_FIELDS),
  ...only,
})

/** The query for the page of a list in a URL. */
export const serversQuery = (search: ServersSearch, limit = 50, only?: ServersOf) =>
  q('GET /api/servers', {
    query: {
      limit,
      ...wanted(search, only),
      ...(search.after ? { after: search.after } : {}),
    },
  })

/** The whole filtered list as CSV. */
export const serversCsv = (search: ServersSearch, only?: ServersOf): string =>
  urlOf('/api/servers/export', { query: wanted(search, only) })

/** The person's own limits with their use. */
export const limitsQuery = { ...q('GET /api/limits/me'), staleTime: 30_000 }
