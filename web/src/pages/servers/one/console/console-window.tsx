import { useParams } from '@tanstack/react-router'
import { ServerWindow } from '../server-window.tsx'
import { Console } from './console-tab.tsx'
import { t } from './words.ts'

/** The console of one server in a separate window. */
export default function ConsoleWindow() {
  const { id } = useParams({ from: '/alone/windows/console/$id' })
  return (
    <ServerWindow id={id} title={t.console}>
      {(server) => <Console server={server} alone />}
    </ServerWindow>
  )
}
