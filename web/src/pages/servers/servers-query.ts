import { q } from '../../query.ts'
import type { serversSearch } from '../../routes/search.ts'

/** The page of the list of servers that an address asks for. */
export const serversQuery = ({
  q: text,
  status,
  node,
  relation,
  after,
}: ReturnType<typeof serversSearch>) =>
  q('GET /api/servers', {
    query: {
      limit: 50,
      ...(text ? { q: text } : {}),
      ...(status ? { status } : {}),
      ...(node ? { nodeId: node } : {}),
      ...(relation ? { relation } : {}),
      ...(after ? { after } : {}),
    },
  })
