import { useEffect, useRef, useState } from 'react'
import { useViewing } from '../../../session/session.ts'
import { useScheme } from '../../../theme/theme-provider.tsx'
import { copyText } from '../../../ui/data/clipboard.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { openScreen, type Screen } from '../../../ui/panes/terminal.ts'
import styles from '../../servers/one/console/console.module.css'
import { ConsoleOff } from '../../servers/one/console/console-off.tsx'
import { useUnsupported } from '../../servers/one/use-rights.ts'
import { useServer } from '../../servers/one/use-server.ts'
import { t } from '../words.ts'
import { isOn, MachineOff } from './machine-off.tsx'
import { type Link, openRelay } from './relay-socket.ts'
import { LinkPill } from './screen-bar.tsx'

/** The serial console of a virtual machine, or why its node has none. */
export default function SerialTab() {
  const why = useUnsupported(useServer().id)('console')
  return why === undefined ? <SerialLine /> : <Note tone="warn">{t.because({ reason: why })}</Note>
}

/** Input goes to the guest unchanged. */
function SerialLine() {
  const server = useServer()
  const viewing = useViewing()
  const on = !viewing && isOn(server)
  const element = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(undefined)
  const [link, setLink] = useState<Link>({ state: 'closed' })
  const scheme = useScheme()

  // The tokens change with the colour scheme
  useEffect(() => screen.current?.recolour(), [scheme])

  useEffect(() => {
    if (!on || !element.current) return
    let socket: WebSocket | undefined
    const encoder = new TextEncoder()
    const opened = openScreen(
      element.current,
      (text) => void copyText(text),
      (typed) => {
        if (socket?.readyState === WebSocket.OPEN) socket.send(encoder.encode(typed))
      },
    )
    screen.current = opened
    const close = openRelay(server.id, 'serial', {
      link: setLink,
      socket(next) {
        socket = next
        // Every connection replays the recent output.
        next.addEventListener('open', () => opened.clear())
        next.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) =>
          opened.write(new Uint8Array(data)),
        )
      },
    })
    return () => {
      close()
      opened.dispose()
      screen.current = undefined
    }
  }, [server.id, on])

  return (
    <section className={styles.console} aria-label={t.serialOf({ server: server.name })}>
      <div className={styles.bar}>
        <span role="status">
          <LinkPill link={link} />
        </span>
        <Text muted small>
          {t.leaveSerial}
        </Text>
      </div>
      <div className={styles.screen}>
        <div ref={element} className={`l-term ${link.state === 'open' ? '' : styles.dim}`} />
        {viewing ? <ConsoleOff /> : null}
        {on || viewing ? null : <MachineOff server={server}>{t.offSerial}</MachineOff>}
      </div>
    </section>
  )
}
