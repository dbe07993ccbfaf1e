import type { Server } from '@lodge/shared/servers.ts'
import { useEffect, useRef, useState } from 'react'
import { useScheme } from '../../../../theme/theme-provider.tsx'
import { copyText } from '../../../../ui/data/clipboard.ts'
import { openScreen, type Screen } from '../../../../ui/panes/terminal.ts'
import styles from './console.module.css'
import { noticeLine, ownLine } from './notice-line.ts'
import { type ConsoleSession, type Link, openConsole } from './session.ts'
import { type Transcript, transcript } from './transcript.ts'
import { type Trouble, troublesIn } from './trouble.ts'
import type { ViewSettings } from './view-settings.ts'
import { t } from './words.ts'

/**
 * A terminal in this component that follows a server's console while `live`.
 * @param kind the program's own console, or its installation log
 */
export function useLiveScreen(
  server: Server,
  live: boolean,
  kind: 'console' | 'install_log',
  view: ViewSettings,
) {
  const element = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(undefined)
  const session = useRef<ConsoleSession>(undefined)
  const kept = useRef<Transcript>(undefined)
  const looks = useRef(view)
  const [link, setLink] = useState<Link>({ state: 'closed' })
  const [troubles, setTroubles] = useState<readonly Trouble[]>([])
  const scheme = useScheme()
  const { times, wrap, readAloud, size } = view

  // The tokens change with the colour scheme
  useEffect(() => screen.current?.recolour(), [scheme])

  useEffect(() => {
    if (!live || !element.current) return
    const opened = openScreen(element.current, (text) => void copyText(text))
    opened.readAloud(looks.current.readAloud)
    opened.resize(looks.current.size)
    opened.wrap(looks.current.wrap)
    let decoder = new TextDecoder()
    let connections = 0
    let connected = false
    let replayed = false
    kept.current = transcript()
    screen.current = opened
    setTroubles([])
    const print = (text: string, shown?: () => void): void => {
      const stamped = kept.current?.add(text, replayed ? Date.now() : null) ?? text
      opened.write(looks.current.times ? stamped : text, shown)
    }
    session.current = openConsole(server.id, kind, {
      output(bytes, shown) {
        const text = decoder.decode(bytes, { stream: true })
        print(text, shown)
        const found = troublesIn(text)
        if (found.length > 0) {
          setTroubles((old) => [
            ...old.filter((one) => !found.some(({ id }) => id === one.id)),
            ...found,
          ])
        }
      },
      notice(notice) {
        if (notice.type === 'replayed') replayed = true
        const line = noticeLine(notice)
        if (line !== undefined) print(line)
      },
      link(next) {
        if (next.state === 'open') {
          connected = true
          // Every connection replays the node's buffered output.
          if (connections++ > 0) opened.clear()
          kept.current = transcript()
          decoder = new TextDecoder()
          replayed = false
        }
        if (next.state === 'lost' && connected) {
          connected = false
          print(ownLine(t.connectionLost))
        }
        setLink(next)
      },
    })
    return () => {
      session.current?.close()
      opened.dispose()
      screen.current = undefined
    }
  }, [server.id, kind, live])

  useEffect(() => {
    const shown = screen.current
    const before = looks.current
    looks.current = { times, wrap, readAloud, size }
    if (!shown) return
    if (before.readAloud !== readAloud) shown.readAloud(readAloud)
    if (before.size !== size) shown.resize(size)
    if (before.wrap !== wrap) shown.wrap(wrap)
    if (before.times !== times) {
      shown.clear()
      shown.write(kept.current?.all(times) ?? '')
    }
  }, [times, wrap, readAloud, size])

  return {
    link,
    troubles,
    dismiss: (id: Trouble['id']) => setTroubles((old) => old.filter((one) => one.id !== id)),
    screen,
    send: (line: string) => session.current?.send(line) ?? false,
    view: <div ref={element} className={`l-term ${link.state === 'open' ? '' : styles.dim}`} />,
  }
}
