import type { Server } from '@lodge/shared/servers.ts'
import { useEffect, useRef, useState } from 'react'
import { useScheme } from '../../../theme/theme-provider.tsx'
import { openScreen, type Screen } from '../../../ui/terminal.ts'
import styles from './console.module.css'
import { type ConsoleNotice, type ConsoleSession, type Link, openConsole } from './session.ts'
import { type Trouble, troublesIn } from './trouble.ts'

const RED = '\u001b[31m'
const DIM = '\u001b[90m'
const PLAIN = '\u001b[0m'

/** What the node says beside the output, as a line in the terminal; undefined for what is shown elsewhere. */
function lineOf(notice: ConsoleNotice): string | undefined {
  const text = (field: string): string => (field in notice ? String(notice[field]) : '')
  switch (notice.type) {
    case 'missed':
      return `${DIM}── some output was skipped (${text('bytes') || text('lines')}) ──${PLAIN}`
    case 'exit':
      return `${RED}── ended with ${notice.outOfMemory === true ? 'out of memory' : `code ${text('code')}`} ──${PLAIN}`
    case 'notice':
      return `${DIM}── ${text('text') || text('message')} ──${PLAIN}`
    default:
      return undefined
  }
}

/** A terminal in this component that follows the console of a server while `live`. */
export function useLiveScreen(server: Server, live: boolean) {
  const element = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(undefined)
  const session = useRef<ConsoleSession>(undefined)
  const [link, setLink] = useState<Link>({ state: 'closed' })
  const [troubles, setTroubles] = useState<readonly Trouble[]>([])
  const scheme = useScheme()

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
    session.current = openConsole(server.id, {
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
        const line = lineOf(notice)
        if (line !== undefined) opened.write(`\r\n${line}\r\n`)
      },
      link(next) {
        if (next.state === 'open' && connections++ > 0) opened.clear()
        if (next.state === 'lost')
          opened.write(`\r\n${DIM}── connection lost, trying again ──${PLAIN}\r\n`)
        setLink(next)
      },
    })
    return () => {
      session.current?.close()
      opened.dispose()
      screen.current = undefined
    }
  }, [server.id, live])

  return {
    link,
    troubles,
    dismiss: (id: Trouble['id']) => setTroubles((old) => old.filter((one) => one.id !== id)),
    screen,
    send: (line: string) => session.current?.send(line) ?? false,
    view: <div ref={element} className={`l-term ${link.state === 'open' ? '' : styles.dim}`} />,
  }
}
