import type { Server } from '@lodge/shared/servers.ts'
import { useEffect, useRef, useState } from 'react'
import { useViewing } from '../../../session/session.ts'
import { Text, type Vars } from '../../../ui/page/layout.tsx'
import styles from '../../servers/one/console/console.module.css'
import { ConsoleOff } from '../../servers/one/console/console-off.tsx'
import vm from '../vm.module.css'
import { t } from '../words.ts'
import { isOn, MachineOff } from './machine-off.tsx'
import type { Link } from './relay-socket.ts'
import { type MachineScreen, openMachineScreen } from './screen.ts'
import { ScreenBar } from './screen-bar.tsx'

/** The screen of a running machine; a lost connection keeps the last frame. */
export default function MachineView({
  server,
  alone = false,
}: {
  server: Server
  alone?: boolean
}) {
  const viewing = useViewing()
  const on = !viewing && isOn(server)
  const stage = useRef<HTMLDivElement>(null)
  const target = useRef<HTMLDivElement>(null)
  const screen = useRef<MachineScreen>(undefined)
  const [link, setLink] = useState<Link>({ state: 'closed' })
  const [last, setLast] = useState<string>()
  const [fitted, setFitted] = useState(true)
  const [shape, setShape] = useState('4 / 3')

  const shaped: Vars = { '--shape': shape }

  useEffect(() => {
    if (!on || !target.current) return
    const opened = openMachineScreen(target.current, server.id, {
      link: setLink,
      lastPicture: setLast,
      size: (width, height) => setShape(`${width} / ${height}`),
    })
    screen.current = opened
    return () => {
      opened.close()
      screen.current = undefined
      setLast(undefined)
    }
  }, [server.id, on])

  return (
    <section
      className={`${styles.console} ${fitted ? vm.shaped : ''}`}
      style={shaped}
      aria-label={t.screenOf({ server: server.name })}
    >
      <ScreenBar
        server={server}
        alone={alone}
        link={link}
        screen={screen}
        stage={stage}
        fitted={fitted}
        onFit={setFitted}
      />
      <div ref={stage} className={`${styles.screen} ${vm.stage}`}>
        <div ref={target} className={vm.target} data-connected={link.state === 'open'} />
        {on && link.state === 'lost' ? (
          <div className={vm.lost} role="status">
            {last === undefined ? null : <img src={last} alt={t.lastPicture} />}
            <Text>{t.reconnecting({ attempt: link.attempt, reason: link.reason })}</Text>
          </div>
        ) : null}
        {viewing ? <ConsoleOff /> : null}
        {on || viewing ? null : <MachineOff server={server}>{t.offScreen}</MachineOff>}
      </div>
    </section>
  )
}
