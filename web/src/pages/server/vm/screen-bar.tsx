import type { Server } from '@lodge/shared/servers.ts'
import Camera from 'lucide-react/icons/camera'
import ExternalLink from 'lucide-react/icons/external-link'
import Keyboard from 'lucide-react/icons/keyboard'
import Maximize from 'lucide-react/icons/maximize'
import Scaling from 'lucide-react/icons/scaling'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import { type RefObject, useState } from 'react'
import { openWindow } from '../../../shell/open-window.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ActionMenu } from '../../../ui/menu.tsx'
import { Pill } from '../../../ui/status.tsx'
import styles from '../console/console.module.css'
import type { Link } from './relay-socket.ts'
import type { MachineScreen } from './screen.ts'
import { TypeText } from './type-text.tsx'

const CTRL = [0xffe3, 'ControlLeft'] as const
const ALT = [0xffe9, 'AltLeft'] as const
const F = (number: number) => [0xffbd + number, `F${number}`] as const

const CHORDS = [
  ['Escape', [[0xff1b, 'Escape']]],
  ['Tab', [[0xff09, 'Tab']]],
  ['Enter', [[0xff0d, 'Enter']]],
  ['Delete', [[0xffff, 'Delete']]],
  ['F2', [F(2)]],
  ['F8', [F(8)]],
  ['F10', [F(10)]],
  ['F12', [F(12)]],
  ['Windows', [[0xffeb, 'MetaLeft']]],
  ['Alt + Tab', [ALT, [0xff09, 'Tab']]],
  ['Alt + F4', [ALT, F(4)]],
  ['Ctrl + C', [CTRL, [0x63, 'KeyC']]],
  ['Ctrl + Alt + F1', [CTRL, ALT, F(1)]],
  ['Ctrl + Alt + F2', [CTRL, ALT, F(2)]],
  ['Ctrl + Alt + F7', [CTRL, ALT, F(7)]],
] as const

export function LinkPill({ link }: { link: Link }) {
  switch (link.state) {
    case 'open':
      return <Pill tone="ok">Connected</Pill>
    case 'lost':
      return (
        <Pill tone="warn" title={link.reason}>
          Reconnecting ({link.attempt})
        </Pill>
      )
    case 'connecting':
      return <Pill tone="info">Connecting</Pill>
    case 'closed':
      return <Pill tone="idle">Off</Pill>
  }
}

interface ScreenBarProps {
  server: Server
  alone: boolean
  link: Link
  screen: RefObject<MachineScreen | undefined>
  stage: RefObject<HTMLDivElement | null>
}

/** State of the connection, keys, typed text, size, picture, the whole monitor, a window of its own. */
export function ScreenBar({ server, alone, link, screen, stage }: ScreenBarProps) {
  const [fitted, setFitted] = useState(true)
  const [typing, setTyping] = useState(false)
  const off = link.state === 'open' ? undefined : 'The screen is not connected'
  const fit = (): void => {
    screen.current?.fit(!fitted)
    setFitted(!fitted)
  }
  const save = async (): Promise<void> => {
    const blob = await screen.current?.picture()
    if (!blob) return
    const url = URL.createObjectURL(blob)
    Object.assign(document.createElement('a'), {
      href: url,
      download: `${server.name}.png`,
    }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label="Screen">
      <span role="status">
        <LinkPill link={link} />
      </span>
      <Button
        size="small"
        disabledBecause={off}
        onClick={() => {
          screen.current?.ctrlAltDel()
          screen.current?.focus()
        }}
      >
        Ctrl-Alt-Del
      </Button>
      <ActionMenu
        label="Press keys"
        entries={CHORDS.map(([label, keys]) => ({
          label,
          disabledBecause: off,
          onSelect: () => {
            screen.current?.chord(keys)
            screen.current?.focus()
          },
        }))}
      >
        <IconButton label="Press keys" size="small">
          <Keyboard />
        </IconButton>
      </ActionMenu>
      <IconButton
        label="Type a text"
        size="small"
        disabledBecause={off}
        onClick={() => setTyping(true)}
      >
        <TextCursorInput />
      </IconButton>
      <IconButton
        label={fitted ? 'Show in its own size' : 'Fit into the page'}
        size="small"
        aria-pressed={!fitted}
        disabledBecause={off}
        onClick={fit}
      >
        <Scaling />
      </IconButton>
      <IconButton
        label="Save a picture of the screen"
        size="small"
        disabledBecause={off}
        onClick={() => void save()}
      >
        <Camera />
      </IconButton>
      <IconButton
        label="Fill the whole monitor"
        size="small"
        disabledBecause={off}
        onClick={() => void stage.current?.requestFullscreen()}
      >
        <Maximize />
      </IconButton>
      {alone ? null : (
        <IconButton
          label="Open in a window of its own"
          size="small"
          onClick={() => openWindow(`/windows/screen/${server.id}`, server.id)}
        >
          <ExternalLink />
        </IconButton>
      )}
      <Dialog title="Type a text" opened={typing} onClose={() => setTyping(false)}>
        <TypeText screen={screen} onDone={() => setTyping(false)} />
      </Dialog>
    </div>
  )
}
