import type { Server } from '@lodge/shared/servers.ts'
import { useEffect, useRef, useState } from 'react'
import { useScheme } from '../../../theme/theme-provider.tsx'
import { openScreen, type Screen } from '../../../ui/terminal.ts'
import styles from './console.module.css'
import { noticeLine, ownLine } from './notice-line.ts'
import { type ConsoleSession, type Link, openConsole } from './session.ts'
import { type Trouble, troublesIn } from './trouble.ts'

/** A terminal in this component that follows the console of a server while `live`. */
export function useLiveScreen(server: Server, live: boolean) {
  const element = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(undefined)
  const session = useRef<ConsoleSession>(undefined)
  const [link, setLink] = useState<Link>({ state: 'closed' })
  const [troubles, setTroubles] = useState<readonly Trouble[]>([])
  const scheme = useScheme()
  const kind = server.status === 'installing' ? 'install_log' : 'console'

  // The tokens change with the scheme
  useEffect(() => screen.current?.recolour(), [scheme])

  useEffect(() => {
    if (!live || !element.current) return
    const opened = openScreen(
      element.current,
      (text) => void navigator.clipboard.writeText(text).catch(() => undefined),
    )
    const decoder = new TextDecoder()
    let connections = 0
    screen.current = opened
    setTroubles([])
    session.current = openConsole(server.id, kind, {
      output(bytes, shown) {
        opened.write(bytes, shown)
        const found = troublesIn(decoder.decode(bytes, { stream: true }))
        if (found.length > 0) {
          setTroubles((old) => [
            ...old.filter((one) => !found.some(({ id }) => id === one.id)),
            ...found,
          ])
        }
      },
      notice(notice) {
        const line = noticeLine(notice)
        if (line !== undefined) opened.write(line)
      },
      link(next) {
        if (next.state === 'open' && connections++ > 0) opened.clear()
        if (next.state === 'lost') opened.write(ownLine('connection lost, trying again'))
        setLink(next)
      },
    })
    return () => {
      session.current?.close()
      opened.dispose()
      screen.current = undefined
    }
  }, [server.id, kind, live])

  return {
    link,
    troubles,
    dismiss: (id: Trouble['id']) => setTroubles((old) => old.filter((one) => one.id !== id)),
    screen,
    send: (line: string) => session.current?.send(line) ?? false,
    view: <div ref={element} className={`l-term ${link.state === 'open' ? '' : styles.dim}`} />,
  }
}
