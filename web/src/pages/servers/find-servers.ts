import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { serverWord } from '../../ui/data/status.tsx'

/** Finds servers by name, with the console or screen of each. */
export default async function findServers(
  client: QueryClient,
  text: string,
): Promise<readonly Found[]> {
  const { items } = await client.fetchQuery(q('GET /api/servers', { query: { q: text, limit: 8 } }))
  return items.flatMap((server) => [
    {
      id: server.id,
      group: 'Servers',
      label: server.name,
      description: `${serverWord(server.status)} · ${server.nodeName}`,
      to: paths.server,
      params: { id: server.id },
    },
    {
      id: `${server.id} console`,
      group: 'Servers',
      label: `${server.name}: ${server.kind === 'vm' ? 'screen' : 'console'}`,
      to: server.kind === 'vm' ? paths.serverScreen : paths.serverConsole,
      params: { id: server.id },
    },
  ])
}
