import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import './terminal.css'
import { t } from './words.ts'

const SCROLLBACK = 10_000
/** Columns of a row when lines do not wrap. */
const LONG_ROW = 1_000
const NAMES = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const

/** A token in effect. */
const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--l-${name}`).trim()

/** Colours of the terminal, read from the tokens in effect. */
function colours(): Record<string, string> {
  const pairs = NAMES.flatMap((name) => [
    [name, token(`term-${name}`)],
    [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, token(`term-bright-${name}`)],
  ])
  return {
    background: token('term-bg'),
    foreground: token('term-fg'),
    cursor: token('term-fg'),
    black: '#3b414d',
    brightBlack: token('term-dim'),
    white: token('term-fg'),
    brightWhite: '#ffffff',
    selectionBackground: '#5b6b8c',
    ...Object.fromEntries(pairs),
  }
}

/** A terminal inside `element`: accepts output, returns selections. */
export interface Screen {
  /** Writes output; `shown` runs once it has been rendered. */
  write(output: Uint8Array | string, shown?: () => void): void
  clear(): void
  /** Searches forward or back; false without a hit. */
  find(text: string, direction: 'next' | 'previous'): boolean
  /** The whole buffer as text. */
  text(): string
  recolour(): void
  resize(fontSize: number): void
  /** Whether long lines wrap or extend beyond the edge. */
  wrap(on: boolean): void
  /** Whether output is read to screen readers, which costs time during floods. */
  readAloud(on: boolean): void
  dispose(): void
}

/**
 * @param onSelect called after a selection; its text is on the clipboard if the browser allows it
 * @param onType called with typed input; without it the terminal is read-only
 */
export function openScreen(
  element: HTMLElement,
  onSelect: (text: string) => void,
  onType?: (text: string) => void,
): Screen {
  // What screen readers hear.
  Terminal.strings.promptLabel = t.terminalInput
  Terminal.strings.tooMuchOutput = t.muchOutput
  const terminal = new Terminal({
    scrollback: SCROLLBACK,
    convertEol: onType === undefined,
    disableStdin: onType === undefined,
    cursorBlink: false,
    cursorInactiveStyle: onType === undefined ? 'none' : 'outline',
    fontSize: 13,
    lineHeight: 1.25,
    fontFamily: token('font-mono'),
    theme: colours(),
    allowProposedApi: true,
    screenReaderMode: true,
  })
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  // Programs may not read or write their viewer's clipboard.
  terminal.parser.registerOscHandler(52, () => true)
  terminal.open(element)
  if (onType) terminal.onData(onType)
  // Never a keyboard trap (WCAG 2.1.2): a program gets Tab, and Shift Tab leaves the terminal.
  terminal.attachCustomKeyEventHandler(
    ({ key, shiftKey }) => key !== 'Tab' || (onType !== undefined && !shiftKey),
  )
  fit.fit()

  let wraps = true
  const fill = (): void => {
    const rows = wraps ? undefined : fit.proposeDimensions()?.rows
    if (wraps) fit.fit()
    else if (rows !== undefined && !Number.isNaN(rows)) terminal.resize(LONG_ROW, rows)
  }
  const observer = new ResizeObserver(fill)
  observer.observe(element)
  const released = (): void => {
    const text = terminal.getSelection()
    if (text !== '') onSelect(text)
  }
  element.addEventListener('mouseup', released)

  return {
    write: (output, shown) => terminal.write(output, shown),
    clear: () => terminal.reset(),
    find: (text, direction) =>
      direction === 'next' ? search.findNext(text) : search.findPrevious(text),
    text() {
      const buffer = terminal.buffer.active
      const lines = Array.from({ length: buffer.length }, (_, index) =>
        buffer.getLine(index)?.translateToString(true),
      )
      return lines.join('\n').trimEnd()
    },
    recolour() {
      terminal.options.theme = colours()
    },
    resize(fontSize) {
      terminal.options.fontSize = fontSize
      fill()
    },
    wrap(on) {
      wraps = on
      element.classList.toggle('l-term-long', !on)
      fill()
    },
    readAloud(on) {
      terminal.options.screenReaderMode = on
    },
    dispose() {
      observer.disconnect()
      element.removeEventListener('mouseup', released)
      terminal.dispose()
    },
  }
}
