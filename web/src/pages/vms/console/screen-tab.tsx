import { lazy, Suspense } from 'react'
import { PageSkeleton } from '../../../ui/notices/states.tsx'
import { useServer } from '../../servers/one/use-server.ts'

const MachineView = lazy(() => import('./machine-view.tsx'))

/** The screen of a virtual machine; loads noVNC with it. */
export default function ScreenTab() {
  const server = useServer()
  return (
    <Suspense fallback={<PageSkeleton />}>
      <MachineView server={server} />
    </Suspense>
  )
}
