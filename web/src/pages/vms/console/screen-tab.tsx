import { Note } from '../../../ui/notices/note.tsx'
import { PageSkeleton } from '../../../ui/notices/states.tsx'
import { part } from '../../../ui/page/part.tsx'
import { useUnsupported } from '../../servers/one/use-rights.ts'
import { useServer } from '../../servers/one/use-server.ts'
import { t } from '../words.ts'

const MachineView = part(() => import('./machine-view.tsx'))

/** The screen of a virtual machine; loads noVNC with it. */
export default function ScreenTab() {
  const server = useServer()
  const why = useUnsupported(server.id)('screen')
  if (why !== undefined) return <Note tone="warn">{t.because({ reason: why })}</Note>
  return <MachineView server={server} fallback={<PageSkeleton />} />
}
