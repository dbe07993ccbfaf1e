import RFB from '@novnc/novnc'
import { t } from '../words.ts'
import { BACKSPACE, SHIFT, type Stroke, strokesOf } from './keystrokes.ts'
import { type Link, openRelay } from './relay-socket.ts'

/** Milliseconds between automatic keystrokes: firmware and boot loaders drop faster ones. */
const KEY_MS = 12
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, KEY_MS))

export interface MachineScreen {
  ctrlAltDel(): void
  /** Presses keys in order and releases them, after any typing in progress. */
  chord(keys: readonly (readonly [keysym: number, code: string])[]): void
  /** Types a text on a US keyboard after any typing in progress; resolves when done. */
  type(text: string): Promise<void>
  /** Deletes this many characters and types others, after any typing in progress. */
  replace(removed: number, added: string): void
  /** View only: neither keys nor pointer reach the machine. */
  viewOnly(on: boolean): void
  fit(on: boolean): void
  focus(): void
  /** The screen as PNG; null while there is none. */
  picture(): Promise<Blob | null>
  close(): void
}

interface Listener {
  link(link: Link): void
  /** The last frame of a lost connection, as a data URL. */
  lastPicture(url: string): void
  /** The guest's screen size in its own pixels, whenever it changes. */
  size(width: number, height: number): void
}

/** A machine's screen inside `target`; reconnects whenever the connection is lost. */
export function openMachineScreen(
  target: HTMLElement,
  serverId: string,
  listener: Listener,
): MachineScreen {
  let rfb: RFB | undefined
  let scaled = true
  let watching = false
  let typed: Promise<void> = Promise.resolve()
  let ended = false
  // noVNC does not report a change of resolution; only its canvas changes.
  const sizes = new MutationObserver(() => {
    const canvas = target.querySelector('canvas')
    if (canvas && canvas.width > 0 && canvas.height > 0) listener.size(canvas.width, canvas.height)
  })
  sizes.observe(target, { subtree: true, attributeFilter: ['width', 'height'] })
  const close = openRelay(serverId, 'vnc', {
    link: listener.link,
    socket(socket) {
      // Runs before noVNC's own listener, which removes the picture.
      socket.addEventListener('close', () => {
        if (rfb && !ended) listener.lastPicture(rfb.toDataURL())
        rfb = undefined
      })
      const opened = new RFB(target, socket, { shared: true })
      opened.scaleViewport = scaled
      opened.viewOnly = watching
      opened.focusOnClick = true
      opened.background = 'transparent'
      opened.addEventListener('connect', () => opened.focus())
      rfb = opened
    },
  })
  const press = (keysym: number, code: string | null, down?: boolean): void =>
    rfb?.sendKey(keysym, code, down)

  const strike = async (strokes: readonly Stroke[]): Promise<void> => {
    for (const { keysym, code, shift } of strokes) {
      if (!rfb) throw new Error(t.screenOff)
      if (shift) press(SHIFT.keysym, SHIFT.code, true)
      press(keysym, code)
      if (shift) press(SHIFT.keysym, SHIFT.code, false)
      await pause()
    }
  }
  /** Nothing overtakes typing in progress: neither a Backspace nor another text. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const done = typed.then(act)
    typed = done.catch(() => undefined)
    return done
  }

  return {
    ctrlAltDel: () => rfb?.sendCtrlAltDel(),
    chord(keys) {
      void inTurn(async () => {
        for (const [keysym, code] of keys) press(keysym, code, true)
        for (const [keysym, code] of keys.toReversed()) press(keysym, code, false)
        await pause()
      })
    },
    type: (text) => inTurn(() => strike(strokesOf(text))),
    replace(removed, added) {
      const strokes = [...Array.from({ length: removed }, () => BACKSPACE), ...strokesOf(added)]
      // Keystrokes while disconnected are lost, as on an unplugged keyboard.
      inTurn(() => strike(strokes)).catch(() => undefined)
    },
    viewOnly(on) {
      watching = on
      if (rfb) rfb.viewOnly = on
    },
    fit(on) {
      scaled = on
      if (rfb) rfb.scaleViewport = on
    },
    focus: () => rfb?.focus(),
    picture() {
      const { promise, resolve } = Promise.withResolvers<Blob | null>()
      if (rfb) rfb.toBlob(resolve)
      else resolve(null)
      return promise
    },
    close() {
      ended = true
      sizes.disconnect()
      close()
    },
  }
}
