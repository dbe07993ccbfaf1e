import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '../../../query.ts'
import { Row } from '../../../ui/layout.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { usePageTitle } from '../../../ui/page.tsx'
import { ServerPill, serverWord } from '../../../ui/status.tsx'
import { PowerGroup } from '../../servers/power-buttons.tsx'
import MachineView from './machine-view.tsx'

/** The screen of one machine in a window of its own. */
export default function ScreenWindow() {
  const { id } = useParams({ from: '/alone/windows/screen/$id' })
  const server = useQuery(q('GET /api/servers/{id}', { params: { id } }))
  const heading = usePageTitle(
    server.data ? `${server.data.name} (${serverWord(server.data.status)})` : 'Screen',
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
          <MachineView server={found} alone />
        </>
      )}
    </Loaded>
  )
}
