import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Reply } from '../../../api.ts'
import { q } from '../../../query.ts'
import { ServerPill, serverWord } from '../../../ui/data/status.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { usePageTitle } from '../../../ui/page/page.tsx'
import { PowerGroup } from '../power-group.tsx'
import { t } from './words.ts'

interface ServerWindowProps {
  id: string
  /** Title of the window until the server's name has loaded. */
  title: string
  children: (server: Reply<'GET /api/servers/{id}'>) => ReactNode
}

/** One view of a server in a separate window, below its name, status and power buttons. */
export function ServerWindow({ id, title, children }: ServerWindowProps) {
  const server = useQuery(q('GET /api/servers/{id}', { params: { id } }))
  const heading = usePageTitle(
    server.data
      ? t.windowTitle({ server: server.data.name, state: serverWord(server.data.status) })
      : title,
  )
  return (
    <Loaded query={server}>
      {(found) => (
        <>
          <Row between>
            <Row>
              <h1 ref={heading} tabIndex={-1}>
                {found.name}
              </h1>
              <ServerPill status={found.status} />
            </Row>
            <PowerGroup server={found} />
          </Row>
          {children(found)}
        </>
      )}
    </Loaded>
  )
}
