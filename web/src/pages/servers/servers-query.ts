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

/** The page of the list of servers that an address asks for. */
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
