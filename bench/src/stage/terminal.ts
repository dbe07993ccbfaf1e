import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import { attachRaw } from './attachment.ts'

/** Drawn bytes after which a browser acknowledges. */
const ACK_BYTES = 65_536
/** A session may send five lines a second, which also separates one echo from the next. */
const BETWEEN_ECHOES_MS = 210

/** Echoes its input; `flood <bytes>` prints as many bytes of lines and a final one. For busybox's shell. */
export const ECHO = `while read line; do case "$line" in
  flood*) yes ${'x'.repeat(62)} | head -c \${line#flood }; echo over;;
  *) echo "$line";; esac; done`

/** One end of a console: sends lines, and reports every piece of output. */
export interface Terminal {
  send(line: string): void
  heard: (bytes: Buffer) => void
  /** Stops reading, without closing. */
  pause(): void
  close(): void
}

/** The engine's own attach, as a raw connection. */
export async function engineTerminal(socketPath: string, container: string): Promise<Terminal> {
  const socket = await attachRaw(socketPath, container)
  const terminal: Terminal = {
    send: (line) => socket.write(`${line}\n`),
    heard: () => undefined,
    pause: () => socket.pause(),
    close: () => socket.destroy(),
  }
  socket.on('data', (bytes: Buffer) => terminal.heard(bytes))
  return terminal
}

/** A console as in the panel, by WebSocket; resolves when earlier output has been replayed. */
export async function webTerminal(
  url: URL,
  protocols: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Terminal> {
  const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false })
  const terminal: Terminal = {
    send: (line) => socket.send(JSON.stringify({ type: 'command', line })),
    heard: () => undefined,
    pause: () => socket.pause(),
    close: () => socket.terminate(),
  }
  let unsaid = 0
  socket.on('error', () => undefined)
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return
    unsaid += data.byteLength
    if (unsaid >= ACK_BYTES) {
      socket.send(JSON.stringify({ type: 'ack', bytes: unsaid }))
      unsaid = 0
    }
    terminal.heard(data)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('close', (code) => reject(new Error(`the console was closed: ${code}`)))
  })
  return terminal
}

let count = 0

/** Milliseconds from sending a line to receiving it. */
export async function echo(terminal: Terminal): Promise<number> {
  await pause(BETWEEN_ECHOES_MS)
  const line = `line ${count++} of many`
  const { promise, resolve } = Promise.withResolvers<void>()
  terminal.heard = (bytes) => bytes.includes(line) && resolve()
  const started = performance.now()
  terminal.send(line)
  await promise
  return performance.now() - started
}

/** Bytes and seconds from requesting a flood to its last line; a slow reader may miss some of it. */
export async function flood(
  terminal: Terminal,
  mib: number,
): Promise<{ bytes: number; seconds: number }> {
  await pause(BETWEEN_ECHOES_MS)
  const over = untilOver(terminal)
  const started = performance.now()
  terminal.send(`flood ${mib * 1024 * 1024}`)
  return { bytes: await over, seconds: (performance.now() - started) / 1000 }
}

/** Reads a flood to its last line. @returns how many bytes arrived */
export function untilOver(terminal: Terminal): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    let end = ''
    terminal.heard = (piece) => {
      bytes += piece.byteLength
      end = (end + piece.subarray(-8).toString('latin1')).slice(-8)
      if (end.includes('over')) resolve(bytes)
    }
  })
}
