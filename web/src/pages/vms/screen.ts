import RFB from '@novnc/novnc'
import { BACKSPACE, SHIFT, type Stroke, strokesOf } from './keystrokes.ts'
import { type Link, openRelay } from './relay-socket.ts'

/** Between two keys that are typed for somebody: firmware and boot loaders lose faster ones. */
const KEY_MS = 12
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, KEY_MS))

export interface MachineScreen {
  ctrlAltDel(): void
  /** Presses keys one after the other and lets them go in turn, after what is being typed already. */
  chord(keys: readonly (readonly [keysym: number, code: string])[]): void
  /** Types a text on a US keyboard after what is being typed already; resolves when it is done. */
  type(text: string): Promise<void>
  /** Takes back so many signs and types others, after what is being typed already. */
  replace(removed: number, added: string): void
  /** Only the picture: nothing that is pressed or pointed at reaches the machine. */
  viewOnly(on: boolean): void
  fit(on: boolean): void
  focus(): void
  /** The picture as PNG; null while there is none. */
  picture(): Promise<Blob | null>
  close(): void
}

interface Listener {
  link(link: Link): void
  /** The last picture of a connection that was lost, as a data address. */
  lastPicture(url: string): void
  /** How large the guest's screen is, in its own points; again whenever the guest changes it. */
  size(width: number, height: number): void
}

/** The screen of a machine inside `target`; it is connected again whenever it is lost. */
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
  // noVNC says nothing when the guest takes another resolution; its canvas is what changes.
  const sizes = new MutationObserver(() => {
    const canvas = target.querySelector('canvas')
    if (canvas && canvas.width > 0 && canvas.height > 0) listener.size(canvas.width, canvas.height)
  })
  sizes.observe(target, { subtree: true, attributeFilter: ['width', 'height'] })
  const close = openRelay(serverId, 'vnc', {
    link: listener.link,
    socket(socket) {
      // Heard before noVNC hears it, which takes the picture away.
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
      if (!rfb) throw new Error('The screen is not connected')
      if (shift) press(SHIFT.keysym, SHIFT.code, true)
      press(keysym, code)
      if (shift) press(SHIFT.keysym, SHIFT.code, false)
      await pause()
    }
  }
  /** Nothing overtakes what is being typed already: not a Backspace, and not another text. */
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
      // What is typed while the connection is away is lost, as on a keyboard that was pulled out.
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
