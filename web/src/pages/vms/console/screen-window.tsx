import { useParams } from '@tanstack/react-router'
import { ServerWindow } from '../../servers/one/server-window.tsx'
import { t } from '../words.ts'
import MachineView from './machine-view.tsx'

/** The screen of one machine in a separate window. */
export default function ScreenWindow() {
  const { id } = useParams({ from: '/alone/windows/screen/$id' })
  return (
    <ServerWindow id={id} title={t.screen}>
      {(server) => <MachineView server={server} alone />}
    </ServerWindow>
  )
}
