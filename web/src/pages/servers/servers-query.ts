import { q } from '../../query.ts'
import { given, type Raw, text } from '../../routes/search.ts'

const RELATIONS = ['own', 'shared'] as const
export const serversSearch = (raw: Raw) =>
  given({
    q: text(raw.q),
    status: text(raw.status),
    node: text(raw.node),
    relation: RELATIONS.find((relation) => relation === raw.relation),
    after: text(raw.after),
  })

/** The query for the page of the server list in an address. */
export const serversQuery = ({
  q: search,
  status,
  node,
  relation,
  after,
}: ReturnType<typeof serversSearch>) =>
  q('GET /api/servers', {
    query: {
      limit: 50,
      ...(search ? { q: search } : {}),
      ...(status ? { status } : {}),
      ...(node ? { nodeId: node } : {}),
      ...(relation ? { relation } : {}),
      ...(after ? { after } : {}),
    },
  })
